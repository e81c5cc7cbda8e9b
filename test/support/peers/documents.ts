// Programs as peers, which get the document of an event: a webhook's receiver, and a command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../home.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { addressAt, type Peer, portOf, type Seen, troubleOf } from './peer.ts';

const SECRET = 'whsec_c2lnbmVkLXdpdGgtdGhpcy1rZXktMDEyMzQ1Njc4OQ==';
const TOKEN = 'lamp-4f9d2c7b1e8a';

interface Document {
  readonly type: string;
  readonly data: {
    readonly notification: {
      readonly title: string;
      readonly body: string;
      readonly acknowledged?: { readonly why: string };
      readonly resolved?: { readonly why: string };
    };
  };
}

/** Documents that were accepted, with the id of their delivery. */
async function startAcceptor() {
  const receiver = await startReceiver();
  const accepted: { readonly id: string; readonly document: Document }[] = [];
  receiver.answer = ({ headers, body }) => {
    const id = String(headers['webhook-id'] ?? accepted.length);
    accepted.push({ id, document: JSON.parse(body) as Document });
    return 200;
  };
  const byId = () => new Map(accepted.map(({ id, document }) => [id, document]));
  return {
    receiver,
    titles: () => [...byId().values()].map(({ data }) => data.notification.title),
    seen: (): Seen[] => [...byId()].map(([id, document]) => ({ id, lines: linesOf(document) })),
  };
}

function linesOf({ type, data: { notification } }: Document): string[] {
  const { title, body, acknowledged, resolved } = notification;
  const why = [acknowledged, resolved].flatMap((one) => (one === undefined ? [] : [one.why]));
  return [`${type}: ${title}`, ...why, ...body.split('\n').filter((line) => line !== '')];
}

export async function webhookPeer(): Promise<Peer> {
  const { receiver, titles, seen } = await startAcceptor();
  const limited = { status: 429, headers: { 'retry-after': '2' } };
  return {
    port: portOf(receiver),
    settings: (port) => ({ url: `${addressAt(port)}/hooks`, secret: SECRET, updates: true }),
    secrets: [SECRET],
    titles,
    seen,
    trouble: troubleOf(receiver, { limited, refused: 403 }, [SECRET]),
  };
}

export async function commandPeer(): Promise<Peer> {
  const { receiver, titles, seen } = await startAcceptor();
  const file = join(temporaryFolder(), 'on-event.mjs');
  writeFileSync(file, PROGRAM);
  return {
    port: portOf(receiver),
    settings: (port) => ({
      run: [process.execPath, file],
      env: { ADDRESS: addressAt(port), TOKEN },
      updates: true,
    }),
    secrets: [TOKEN],
    titles,
    seen,
    trouble: exitsOf(receiver),
  };
}

const exitsOf = (receiver: Receiver) => troubleOf(receiver, { limited: 503, refused: 401 }, []);

/** Hands its input over. Exits with 75 where nobody listens, 78 where it is not let in; is killed where the answer is lost. */
const PROGRAM = `
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
const EXITS = { 200: 0, 503: 75, 401: 78 };
const body = await text(process.stdin);
let connected = false;
const post = request(process.env.ADDRESS, { method: 'POST' }, (answer) => {
  answer.resume();
  answer.on('end', () => {
    const code = EXITS[answer.statusCode] ?? 1;
    if (code === 1) console.error('no such token: ' + process.env.TOKEN);
    process.exit(code);
  });
});
post.on('socket', (socket) => socket.on('connect', () => (connected = true)));
post.on('error', () => (connected ? process.kill(process.pid, 'SIGKILL') : process.exit(75)));
post.end(body);
`;

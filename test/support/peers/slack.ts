// Slack's stand-ins as peers: an app, and an incoming webhook.
import { startReceiver } from '../receiver.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, startSlackServer } from '../slack-server.ts';
import { addressAt, firstLine, json, type Peer, portOf, type Seen, troubleOf } from './peer.ts';

interface Block {
  readonly text?: { readonly text: string };
  readonly fields?: readonly { readonly text: string }[];
  readonly elements?: readonly { readonly text: string | { readonly text: string } }[];
}
interface Posted {
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly { readonly blocks?: readonly Block[] }[];
}

export async function slackAppPeer(): Promise<Peer> {
  const server = await startSlackServer();
  const secrets = [BOT_TOKEN, APP_TOKEN];
  const refusals = {
    limited: json(429, { ok: false, error: 'ratelimited' }, { 'retry-after': '2' }),
    refused: json(200, { ok: false, error: 'token_revoked' }),
  };
  return {
    port: portOf(server),
    settings: (port) => ({
      api_url: `${addressAt(port)}/api`,
      token: BOT_TOKEN,
      app_token: APP_TOKEN,
      channel: CHANNEL,
    }),
    secrets,
    titles: () => server.shown.map(({ text }) => firstLine(text)),
    seen: () =>
      server.shown
        .filter(({ deleted }) => !deleted)
        .map((message) => ({
          id: message.ts,
          lines: [...linesOf(message), ...(message.thread === null ? [] : [inThread(message.broadcast)])],
        })),
    trouble: troubleOf(server, refusals, secrets),
  };
}

const inThread = (broadcast: boolean): string => `(in the session's thread${broadcast ? ', and in the channel' : ''})`;

export async function slackPeer(): Promise<Peer> {
  const receiver = await startReceiver();
  const hook = '/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx';
  const posted: Posted[] = [];
  receiver.answer = ({ body }) => {
    posted.push(JSON.parse(body) as Posted);
    return { status: 200, body: 'ok' };
  };
  const refusals = {
    limited: { status: 429, headers: { 'retry-after': '2' }, body: 'rate_limited' },
    refused: { status: 404, body: 'no_service' },
  };
  return {
    port: portOf(receiver),
    settings: (port) => ({ url: `${addressAt(port)}${hook}` }),
    secrets: [hook],
    titles: () => posted.map(({ text }) => firstLine(text)),
    seen: () => posted.map((one, index): Seen => ({ id: String(index), lines: linesOf(one) })),
    trouble: troubleOf(receiver, refusals, [hook]),
  };
}

/** Texts of the blocks, buttons in brackets. */
function linesOf({ blocks = [], attachments = [] }: Posted): string[] {
  const all = [...blocks, ...attachments.flatMap((one) => one.blocks ?? [])];
  return all.flatMap(({ text, fields = [], elements = [] }) =>
    [
      ...(text === undefined ? [] : text.text.split('\n')),
      ...fields.map((field) => field.text.replace('\n', ': ')),
      ...elements.map((element) => (typeof element.text === 'string' ? element.text : `[${element.text.text}]`)),
    ].map((line) => line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')),
  );
}

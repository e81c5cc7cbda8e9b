// Every channel that hands messages to a service, with the tests' stand-in for that service: how it is configured, and what people there are shown.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { channels } from '../../src/channels/index.ts';
import { PATH as DISCORD_PATH, startDiscord, TOKEN as DISCORD_TOKEN } from '../channels/discord-server.ts';
import { PASSWORD, readMail, startMailServer, USER } from '../channels/mail-server.ts';
import { temporaryFolder } from './home.ts';
import { startNtfyServer } from './ntfy-server.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, startSlackServer } from './slack-server.ts';
import { startTelegramServer, TOKEN } from './telegram-server.ts';

/** A service that works. */
export interface Peer {
  readonly port: number;
  /** Settings that reach it on this port, as in config.toml. */
  readonly settings: (port: number) => Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** Titles of what people, or programs, have got, in order; a repeat that the receiver drops is not among them. */
  readonly titles: () => readonly string[];
  /** Whether an answer of this text says that the service has acted; absent: any. */
  readonly acted?: (answers: string) => boolean;
}

const portOf = ({ url }: Pick<Receiver, 'url'>): number => Number(new URL(url).port);
const at = (port: number): string => `http://127.0.0.1:${port}`;
const TOPIC = 'belfry-k3y5n8m2q7r4t6w9';
const WEBHOOK_SECRET = 'whsec_c2lnbmVkLXdpdGgtdGhpcy1rZXktMDEyMzQ1Njc4OQ==';

/** By type. */
export const PEERS: Readonly<Record<string, () => Promise<Peer>>> = {
  ntfy: async () => {
    const server = await startNtfyServer();
    server.rules.requests = 1_000;
    return {
      port: portOf(server),
      settings: (port) => ({ server: at(port), topic: TOPIC }),
      secrets: [TOPIC],
      // A message of the same sequence replaces the earlier one.
      titles: () => [
        ...new Map(server.published.map(({ sequence_id: id, title = '' }) => [id ?? title, title])).values(),
      ],
    };
  },
  telegram: async () => {
    const server = await startTelegramServer();
    return {
      port: portOf(server),
      settings: (port) => ({ api_url: at(port), token: TOKEN, chat: 7 }),
      secrets: [TOKEN],
      titles: () => server.shown.map(({ text }) => firstLine(text)),
    };
  },
  slack: async () => {
    const receiver = await startReceiver();
    const hook = '/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx';
    receiver.answer = () => ({ status: 200, body: 'ok' });
    return {
      port: portOf(receiver),
      settings: (port) => ({ url: `${at(port)}${hook}` }),
      secrets: [hook],
      titles: () => receiver.requests.map(({ body }) => firstLine(String((JSON.parse(body) as { text: string }).text))),
    };
  },
  'slack-app': async () => {
    const server = await startSlackServer();
    return {
      port: portOf(server),
      settings: (port) => ({ api_url: `${at(port)}/api`, token: BOT_TOKEN, app_token: APP_TOKEN, channel: CHANNEL }),
      secrets: [BOT_TOKEN, APP_TOKEN],
      titles: () => server.shown.map(({ text }) => firstLine(text)),
    };
  },
  discord: async () => {
    const { receiver, messages } = await startDiscord();
    return {
      port: portOf(receiver),
      settings: (port) => ({ url: `${at(port)}${DISCORD_PATH}` }),
      secrets: [DISCORD_TOKEN],
      titles: () => [...messages.values()].map(({ embed }) => embed.title ?? ''),
    };
  },
  email: async () => {
    const { port, mails } = await startMailServer({
      options: { disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    });
    return {
      port,
      settings: (reached) => ({
        ...{ host: '127.0.0.1', port: reached, tls: 'none', user: USER, password: PASSWORD },
        ...{ from: 'Belfry <me@example.com>', to: 'me@example.com' },
      }),
      secrets: [PASSWORD],
      // A mailbox drops a mail whose id it has.
      titles: () => {
        const read = mails.map(({ raw }) => readMail(raw).headers);
        return [...new Map(read.map((headers) => [headers['message-id'], headers['subject'] ?? ''])).values()];
      },
      acted: (answers) => /250 .*queued/.test(answers),
    };
  },
  webhook: async () => {
    const receiver = await startReceiver();
    return {
      port: portOf(receiver),
      settings: (port) => ({ url: `${at(port)}/hooks`, secret: WEBHOOK_SECRET }),
      secrets: [WEBHOOK_SECRET],
      titles: () => [
        ...new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], titleIn(body)])).values(),
      ],
    };
  },
  command: async () => {
    const receiver = await startReceiver();
    const file = join(temporaryFolder(), 'on-event.mjs');
    writeFileSync(file, ON_EVENT);
    return {
      port: portOf(receiver),
      settings: (port) => ({
        run: [process.execPath, file],
        env: { ADDRESS: at(port), LAMP_TOKEN: 'lamp-4f9d2c7b1e8a' },
      }),
      secrets: ['lamp-4f9d2c7b1e8a'],
      titles: () => receiver.requests.map(({ body }) => titleIn(body)),
    };
  },
};

/** Channels that have no service: what they show is on this machine. */
const WITHOUT = ['desktop'];

/** Types in the registry that no stand-in is named for here; a test says that there are none. */
export const unnamedTypes = (): readonly string[] =>
  channels.map(({ type }) => type).filter((type) => !(type in PEERS) && !WITHOUT.includes(type));

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
const titleIn = (body: string): string =>
  String((JSON.parse(body) as { data: { notification: { title: string } } }).data.notification.title);

/** Hands its input over: asks for another try where nobody listens, and is killed where the answer is lost. */
const ON_EVENT = `
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
const body = await text(process.stdin);
let connected = false;
const post = request(process.env.ADDRESS, { method: 'POST' }, (answer) => {
  answer.resume();
  answer.on('end', () => process.exit(answer.statusCode === 200 ? 0 : 1));
});
post.on('socket', (socket) => socket.on('connect', () => (connected = true)));
post.on('error', () => (connected ? process.kill(process.pid, 'SIGKILL') : process.exit(75)));
post.end(body);
`;

// A strict Slack for tests: the Web API after docs.slack.dev ("chat.postMessage", "chat.update", "chat.delete", "users.lookupByEmail", "conversations.open",
// "Block Kit", "Rate limits") and Socket Mode after docs.slack.dev ("Using Socket Mode"); the official clients of Slack are run against it too.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

export const BOT_TOKEN = 'xoxb-1234567890-abcdefghijklmnop';
export const APP_TOKEN = 'xapp-1-A0123456789-1234567890-abcdef';
export const CHANNEL = 'C0123456789';

/** A message as people see it. */
export interface SlackShown {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | null;
  /** Also shown in the channel. */
  readonly broadcast: boolean;
  text: string;
  blocks: readonly SlackBlock[];
  attachments: readonly { readonly color?: string; readonly blocks?: readonly SlackBlock[] }[];
  deleted: boolean;
}
interface PlainText {
  readonly type: string;
  readonly text: string;
  readonly emoji?: boolean;
}
interface SlackBlock {
  readonly type: string;
  readonly text?: PlainText;
  readonly fields?: readonly PlainText[];
  readonly elements?: readonly (PlainText & { readonly action_id?: string; readonly value?: string })[];
}

export interface SlackServer extends Receiver {
  readonly shown: SlackShown[];
  /** Shown to one person only. */
  readonly whispers: { readonly user: string; readonly text: string; readonly thread: string | null }[];
  readonly rules: { retryAfter: number; fault: string; greets: boolean };
  readonly scopes: Set<string>;
  /** By id; `member`: the app is in it. */
  readonly channels: Map<string, { name?: string; member: boolean; archived?: boolean; im?: boolean }>;
  /** Members by e-mail address. */
  readonly people: Map<string, string>;
  /** Windows that were opened. */
  readonly views: SlackView[];
  /** Somebody sends what they wrote in one. */
  submit(view: SlackView, words: string, user?: object): void;
  /** Connections that were greeted and are open. */
  readonly sockets: Set<WebSocket>;
  /** Envelopes that were acknowledged. */
  readonly acknowledged: string[];
  /** A button of a message is pressed; resolves with the envelope's id. */
  press(
    message: SlackShown,
    more?: { user?: object; team?: string; channel?: string; action?: string; value?: string | undefined },
  ): string;
  /** Sends this frame on every connection. */
  frame(frame: object | string): void;
}

/** A window as an app opens it. */
export interface SlackView {
  readonly type: string;
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly title: { readonly text: string };
}

type Fields = Record<string, unknown>;

class Refusal extends Error {
  readonly more: object;
  constructor(word: string, more: object = {}) {
    super(word);
    this.more = more;
  }
}

const SCOPE_OF: Readonly<Record<string, string>> = {
  'chat.postMessage': 'chat:write',
  'chat.update': 'chat:write',
  'chat.delete': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'users.lookupByEmail': 'users:read.email',
  'conversations.open': 'im:write',
  'conversations.info': 'channels:read',
};
const FORM_ONLY = ['users.lookupByEmail', 'conversations.info'];

/** Limits of "Block Kit"; only plain text is accepted here. */
function checkBlocks(blocks: unknown, most: number): readonly SlackBlock[] {
  const invalid = (what: string) => new Refusal('invalid_blocks', { response_metadata: { messages: [what] } });
  if (!Array.isArray(blocks) || blocks.length > most) throw invalid('no more than 50 items allowed');
  const plain = (text: PlainText | undefined, limit: number): void => {
    if (text?.type !== 'plain_text' || typeof text.text !== 'string') throw invalid('not plain_text');
    if (text.text.length < 1 || text.text.length > limit) throw invalid(`must be 1 to ${limit} characters`);
  };
  for (const { type, text, fields = [], elements = [] } of blocks as SlackBlock[]) {
    if (type === 'header') plain(text, 150);
    else if (type === 'section') {
      if (!text && fields.length === 0) throw invalid('a section needs text or fields');
      if (text) plain(text, 3_000);
      if (fields.length > 10) throw invalid('more than 10 fields');
      for (const field of fields) plain(field, 2_000);
    } else if (type === 'context') {
      if (elements.length < 1 || elements.length > 10) throw invalid('1 to 10 elements');
      for (const element of elements) plain(element, 2_000);
    } else if (type === 'actions') {
      const ids = elements.map(({ action_id }) => action_id);
      if (new Set(ids).size < ids.length) throw invalid('action_id is not unique');
      if (elements.length < 1 || elements.length > 25) throw invalid('1 to 25 elements');
      for (const button of elements as unknown as {
        type: string;
        text: PlainText;
        action_id: string;
        value: string;
        style?: string;
      }[]) {
        if (button.style !== undefined && !['primary', 'danger'].includes(button.style)) throw invalid('style');
        if (button.type !== 'button' || button.action_id.length > 255 || button.value.length > 2_000)
          throw invalid('button');
        plain(button.text, 75);
      }
    } else throw invalid(`unsupported type: ${type}`);
  }
  return blocks as SlackBlock[];
}

function contentOf({
  text,
  blocks = [],
  attachments = [],
}: Fields): Pick<SlackShown, 'text' | 'blocks' | 'attachments'> {
  if (typeof text !== 'string' || text === '') throw new Refusal('no_text');
  if (text.length > 40_000) throw new Refusal('msg_too_long');
  if (/[<>]|&(?!(?:amp|lt|gt);)/.test(text)) throw new Refusal('invalid_arguments', { what: 'unescaped text' });
  const list = attachments as SlackShown['attachments'];
  if (list.length > 100) throw new Refusal('too_many_attachments');
  for (const attachment of list) checkBlocks(attachment.blocks ?? [], 50);
  return { text, blocks: checkBlocks(blocks, 50), attachments: list };
}

/** Knows one channel that the app is in; more by `channels` and `people`. */
export async function startSlackServer(options: { owned?: boolean } = {}): Promise<SlackServer> {
  const receiver = await startReceiver(options);
  const shown: SlackShown[] = [];
  const whispers: { user: string; text: string; thread: string | null }[] = [];
  const rules = { retryAfter: 0, fault: '', greets: true };
  const scopes = new Set(['chat:write', 'users:read', 'users:read.email', 'im:write', 'channels:read']);
  const channels: SlackServer['channels'] = new Map([[CHANNEL, { name: 'builds', member: true }]]);
  const people: SlackServer['people'] = new Map();
  const tickets = new Set<string>();
  const acknowledged: string[] = [];
  const views: SlackView[] = [];
  /** Each opens one view. */
  const triggers = new Set<string>();
  const sockets = new Set<WebSocket>();
  let count = 0;

  const web = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: ({ req }: { req: IncomingMessage }) => tickets.delete(req.url ?? ''), // each address serves once
  });
  await once(web, 'listening');
  web.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      const { envelope_id: id } = JSON.parse(String(data)) as { envelope_id?: string };
      if (isBinary || typeof id !== 'string') return socket.close(1008);
      acknowledged.push(id);
    });
    socket.on('close', () => sockets.delete(socket));
    if (!rules.greets) return;
    sockets.add(socket);
    const debug = { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060 };
    const hello = {
      type: 'hello',
      num_connections: sockets.size,
      debug_info: debug,
      connection_info: { app_id: 'A1' },
    };
    socket.send(JSON.stringify(hello));
    socket.ping('Ping from applink-1');
  });
  const closeWeb = (): Promise<void> => {
    for (const socket of web.clients) socket.terminate();
    return new Promise((resolve) => web.close(() => resolve()));
  };

  const channelOf = (id: unknown): string => {
    const channel = channels.get(String(id));
    if (!channel) throw new Refusal('channel_not_found');
    if (channel.archived) throw new Refusal('is_archived');
    if (!channel.member) throw new Refusal('not_in_channel');
    return String(id);
  };
  const messageOf = ({ channel, ts }: Fields): SlackShown => {
    const found = shown.find((one) => one.channel === channelOf(channel) && one.ts === ts && !one.deleted);
    if (!found) throw new Refusal('message_not_found');
    return found;
  };
  const methods: Record<string, (given: Fields) => object> = {
    'auth.test': () => ({
      url: 'https://example.slack.com/',
      team: 'Example',
      user: 'belfry',
      team_id: 'T1',
      bot_id: 'B1',
    }),
    'chat.postMessage': (given) => {
      const channel = channelOf(given['channel']);
      const thread = given['thread_ts'] === undefined ? null : String(given['thread_ts']);
      const root = shown.find((one) => one.ts === thread && one.channel === channel);
      if (thread !== null && (!root || root.deleted)) throw new Refusal('thread_not_found');
      if (root && root.thread !== null) throw new Refusal('cannot_reply_to_message');
      const ts = `1780000000.${String(++count).padStart(6, '0')}`;
      const broadcast = thread !== null && given['reply_broadcast'] === true;
      const message = { channel, ts, thread, broadcast, ...contentOf(given), deleted: false };
      shown.push(message);
      return { channel, ts, message: { type: 'message', text: message.text, ts, bot_id: 'B1' } };
    },
    'chat.update': (given) => {
      const message = messageOf(given);
      Object.assign(message, contentOf(given));
      return { channel: message.channel, ts: message.ts, text: message.text };
    },
    'chat.delete': (given) => {
      const message = messageOf(given);
      message.deleted = true;
      return { channel: message.channel, ts: message.ts };
    },
    'chat.postEphemeral': (given) => {
      channelOf(given['channel']);
      whispers.push({
        user: String(given['user']),
        text: String(given['text']),
        thread: (given['thread_ts'] ?? null) as string | null,
      });
      return { message_ts: '1' };
    },
    'views.open': (given) => {
      const { trigger_id: trigger, view } = given as { trigger_id?: string; view: SlackView };
      if (trigger === undefined || !triggers.delete(trigger)) throw new Refusal('expired_trigger_id');
      if (view.type !== 'modal' || view.title.text.length > 24) throw new Refusal('invalid_arguments');
      views.push(view);
      return { view: { ...view, id: `V${++count}` } };
    },
    'users.lookupByEmail': ({ email }) => {
      const id = people.get(String(email));
      if (id === undefined) throw new Refusal('users_not_found');
      return { user: { id, team_id: 'T1', name: 'ada' } };
    },
    'conversations.open': ({ users }) => {
      if (![...people.values()].includes(String(users))) throw new Refusal('user_not_found');
      const id = `D${String(users)}`;
      channels.set(id, { member: true, im: true });
      return { channel: { id } };
    },
    'conversations.info': ({ channel }) => {
      const found = channels.get(String(channel));
      if (!found) throw new Refusal('channel_not_found');
      const { name, member, archived = false, im = false } = found;
      return { channel: { id: channel, name, is_member: member, is_archived: archived, is_im: im } };
    },
    'apps.connections.open': () => {
      const path = `/link/?ticket=${++count}&app_id=A1`;
      tickets.add(path);
      return { url: `ws://127.0.0.1:${(web.address() as AddressInfo).port}${path}` };
    },
  };

  function call({ path, headers, body }: Received): object {
    const method = /^\/api\/([\w.]+)$/.exec(path)?.[1] ?? '';
    const act = methods[method];
    if (!act) throw new Refusal('unknown_method');
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) throw new Refusal('not_authed');
    if (token !== BOT_TOKEN && token !== APP_TOKEN) throw new Refusal('invalid_auth');
    if ((token === APP_TOKEN) !== (method === 'apps.connections.open')) throw new Refusal('not_allowed_token_type');
    const needed = SCOPE_OF[method];
    if (needed !== undefined && !scopes.has(needed))
      throw new Refusal('missing_scope', { needed, provided: [...scopes].join(',') });
    if (rules.fault !== '') throw new Refusal(rules.fault);
    const isJson = headers['content-type']?.startsWith('application/json') ?? false;
    if (isJson && FORM_ONLY.includes(method)) throw new Refusal('invalid_arguments');
    return act(isJson ? (JSON.parse(body) as Fields) : Object.fromEntries(new URLSearchParams(body)));
  }

  receiver.answer = (request: Received) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-oauth-scopes': [...scopes].join(',') };
    const answer = (body: object) => ({ status: 200, headers, body: JSON.stringify(body) });
    if (rules.retryAfter > 0) {
      const limited = { ...headers, 'retry-after': String(rules.retryAfter) };
      return { status: 429, headers: limited, body: '{"ok":false,"error":"ratelimited"}' };
    }
    try {
      return answer({ ok: true, ...call(request) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return answer({ ok: false, error: error.message, ...error.more });
    }
  };

  const frame = (what: object | string): void => {
    for (const socket of sockets) socket.send(typeof what === 'string' ? what : JSON.stringify(what));
  };
  const press: SlackServer['press'] = (message, { user, team = 'T1', channel, action, value } = {}) => {
    const button = message.blocks.find(({ type }) => type === 'actions')?.elements?.[0];
    const envelope = `envelope-${++count}`;
    const trigger = `${envelope}.trigger`;
    triggers.add(trigger);
    const payload = {
      trigger_id: trigger,
      type: 'block_actions',
      user: { id: 'U042', username: 'ada', name: 'ada', team_id: 'T1', ...user },
      team: { id: team, domain: 'example' },
      channel: { id: channel ?? message.channel, name: 'builds' },
      message: { type: 'message', ts: message.ts, ...(message.thread === null ? {} : { thread_ts: message.thread }) },
      actions: [
        {
          type: 'button',
          block_id: 'b',
          action_ts: '1780000100.5',
          action_id: action ?? button?.action_id,
          value: value ?? button?.value,
        },
      ],
    };
    const [socket] = [...sockets].slice(-1); // an envelope goes to one connection
    socket?.send(
      JSON.stringify({ envelope_id: envelope, type: 'interactive', accepts_response_payload: true, payload }),
    );
    return envelope;
  };
  const submit: SlackServer['submit'] = ({ callback_id, private_metadata }, words, user = {}) => {
    const payload = {
      type: 'view_submission',
      user: { id: 'U042', username: 'ada', name: 'ada', team_id: 'T1', ...user },
      team: { id: 'T1', domain: 'example' },
      view: {
        type: 'modal',
        callback_id,
        private_metadata,
        state: { values: { words: { words: { type: 'plain_text_input', value: words } } } },
      },
    };
    const [socket] = [...sockets].slice(-1);
    socket?.send(JSON.stringify({ envelope_id: `envelope-${++count}`, type: 'interactive', payload }));
  };
  const closeHttp = receiver.close;
  const close = async (): Promise<void> => {
    await Promise.all([closeHttp(), closeWeb()]);
  };
  const more = {
    shown,
    whispers,
    rules,
    scopes,
    channels,
    people,
    sockets,
    acknowledged,
    press,
    frame,
    close,
    views,
    submit,
  };
  return Object.assign(receiver, more);
}

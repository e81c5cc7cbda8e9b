// A strict ntfy server for tests, after ntfy's own source (server/server.go, errors.go, types.go, visitor.go; v2.16 as documented in docs.ntfy.sh,
// "Publish as JSON", "Updating + deleting notifications", "Limitations", and v2.11 where `old`): what it refuses is refused here with the same code and body.
import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

/** A message as subscribers get it. */
export interface NtfyMessage {
  readonly id: string;
  readonly time: number;
  readonly event: 'message' | 'message_clear' | 'message_delete';
  readonly topic: string;
  readonly sequence_id?: string;
  readonly title?: string;
  readonly message?: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly attachment?: { readonly name: string };
  readonly actions?: readonly NtfyAction[];
}

/** A button (docs.ntfy.sh, "Send HTTP request"). */
export interface NtfyAction {
  readonly action: string;
  readonly label: string;
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly clear: boolean;
}

export interface NtfyServer extends Receiver {
  /** Open subscriptions. */
  readonly subscribers: ReadonlySet<WebSocket>;
  /** What subscribers got, in order. */
  readonly published: NtfyMessage[];
  /** Any of it may be changed during a test. */
  readonly rules: {
    /** Before 2.16: no sequence ids. */
    old: boolean;
    /** Who may publish; null: everybody. Authorization header to user name. */
    users: Record<string, string> | null;
    /** Publishing users; null: all that are known. */
    writers: readonly string[] | null;
    /** Messages left for today. */
    left: number;
    /** Requests until 429. */
    requests: number;
  };
}

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const RESERVED = ['docs', 'static', 'file', 'app', 'metrics', 'account', 'settings', 'signup', 'login', 'v1'];
const MESSAGE_LIMIT = 4_096;
/** publishMessage of types.go; others are ignored by its decoder. */
const FIELDS: Record<string, string> = {
  topic: 'string',
  title: 'string',
  message: 'string',
  priority: 'number',
  tags: 'object',
  click: 'string',
  icon: 'string',
  actions: 'object',
  delay: 'string',
  sequence_id: 'string',
};
const ERRORS: Readonly<Record<number, readonly [status: number, error: string, link?: string]>> = {
  40007: [400, 'invalid priority parameter', 'https://ntfy.sh/docs/publish/#message-priority'],
  40009: [400, 'invalid request: topic invalid'],
  40010: [400, 'invalid request: topic name is disallowed'],
  40017: [400, 'invalid request: request body must be message JSON', 'https://ntfy.sh/docs/publish/#publish-as-json'],
  40018: [400, 'invalid request: actions invalid', 'https://ntfy.sh/docs/publish/#action-buttons'],
  40049: [400, 'invalid request: sequence ID invalid'],
  40101: [401, 'unauthorized', 'https://ntfy.sh/docs/publish/#authentication'],
  40301: [403, 'forbidden', 'https://ntfy.sh/docs/publish/#authentication'],
  40401: [404, 'page not found'],
  41303: [413, 'JSON body too large'],
  42901: [429, 'limit reached: too many requests', 'https://ntfy.sh/docs/publish/#limitations'],
  42908: [429, 'limit reached: daily message quota reached', 'https://ntfy.sh/docs/publish/#limitations'],
};

class Refusal extends Error {
  readonly code: number;
  constructor(code: number) {
    super(String(code));
    this.code = code;
  }
}

/** Who hears of what is published. */
const LISTENERS = new WeakMap<readonly NtfyMessage[], Set<(message: NtfyMessage) => void>>();

/** Accepts everything that ntfy does. */
export async function startNtfyServer(options: { owned?: boolean } = {}): Promise<NtfyServer> {
  const receiver = await startReceiver(options);
  const published: NtfyMessage[] = [];
  const listeners = new Set<(message: NtfyMessage) => void>();
  LISTENERS.set(published, listeners);
  const subscribers = new Set<WebSocket>();
  const web = new WebSocketServer({ noServer: true });
  // docs.ntfy.sh, "WebSockets": what was published since is sent first.
  receiver.upgrade = (request, socket, head) => {
    const [, topic, since] = /^\/([-_A-Za-z0-9]{1,64})\/ws(?:\?since=([\w-]+))?$/.exec(request.url ?? '') ?? [];
    if (topic === undefined) return void socket.destroy();
    web.handleUpgrade(request, socket, head, (client) => {
      const send = (message: object): void => client.send(JSON.stringify(message));
      const listener = (message: NtfyMessage): void => (message.topic === topic ? send(message) : undefined);
      send({ id: 'open', time: 0, event: 'open', topic });
      const from = published.findIndex(({ id }) => id === since) + 1;
      const cached = published.filter(({ time }, at) => (from > 0 ? at >= from : time >= Number(since)));
      for (const message of cached) listener(message);
      listeners.add(listener);
      subscribers.add(client);
      client.on('close', () => {
        listeners.delete(listener);
        subscribers.delete(client);
      });
    });
  };
  if (options.owned !== false) onTestFinished(() => subscribers.forEach((client) => void client.terminate()));
  const rules: NtfyServer['rules'] = { old: false, users: null, writers: null, left: 250, requests: 60 };
  receiver.answer = (request) => {
    try {
      const body = answerTo(request, published, rules);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [status, text, link] = ERRORS[error.code] ?? [500, 'internal server error'];
      // No Retry-After: the server never sends one.
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: `${JSON.stringify({ code: error.code, http: status, error: text, ...(link ? { link } : {}) })}\n`,
      };
    }
  };
  return Object.assign(receiver, { published, rules, subscribers });
}

/** For a suite that scripts one answer. */
export const ntfyAccepts = ({ method, path, body }: Received, response: ServerResponse): void => {
  const rules = { old: false, users: null, writers: null, left: 1, requests: 1 };
  response.end(JSON.stringify(answerTo({ method, path, body, headers: {}, raw: Buffer.alloc(0), at: 0 }, [], rules)));
};

function answerTo(request: Received, published: NtfyMessage[], rules: NtfyServer['rules']): unknown {
  const { method, path, headers } = request;
  if (rules.requests-- <= 0) throw new Refusal(42901);
  if (method === 'GET' && path === '/v1/health') return { healthy: true };
  const user = userOf(headers.authorization, rules);
  if (method === 'GET' && path === '/v1/account')
    return {
      username: user ?? '*',
      role: user === null ? 'anonymous' : 'user',
      limits: { basis: 'ip', messages: 250 },
      stats: { messages: 250 - rules.left, messages_remaining: rules.left },
    };
  const [, topic = '', sequence = '', action = ''] = path.split('/');
  if (method === 'POST' && path === '/') return publish(request.body, user, published, rules);
  if (method === 'POST' && TOPIC.test(topic) && sequence === '')
    return add(published, { event: 'message', topic, message: request.body.trim() || 'triggered' });
  const event =
    method === 'PUT' && action === 'clear'
      ? 'message_clear'
      : method === 'DELETE' && action === ''
        ? 'message_delete'
        : null;
  if (event === null || rules.old || !TOPIC.test(topic) || !TOPIC.test(sequence)) throw new Refusal(40401);
  assertWriter(user, rules);
  return add(published, { event, topic, sequence_id: sequence });
}

function publish(text: string, user: string | null, published: NtfyMessage[], rules: NtfyServer['rules']): unknown {
  if (Buffer.byteLength(text) > 2 * MESSAGE_LIMIT) throw new Refusal(41303);
  const given = fieldsOf(text);
  const { topic, title, message, priority = 0, tags, sequence_id, actions } = given;
  assertActions(actions);
  if (!TOPIC.test(topic)) throw new Refusal(40009);
  if (RESERVED.includes(topic)) throw new Refusal(40010);
  assertWriter(user, rules);
  if (!Number.isInteger(priority) || priority < 0 || priority > 5) throw new Refusal(40007);
  if (sequence_id !== undefined && !rules.old && !TOPIC.test(sequence_id)) throw new Refusal(40049);
  if (rules.left <= 0) throw new Refusal(42908);
  rules.left--;
  const known = rules.old || sequence_id === undefined ? {} : { sequence_id };
  // What is longer is taken for a file.
  const isLong = Buffer.byteLength(message ?? '') > MESSAGE_LIMIT;
  const content = isLong
    ? { message: 'You received a file: attachment.txt', attachment: { name: 'attachment.txt' } }
    : { message: (message ?? '').trim() || 'triggered' };
  return add(published, {
    event: 'message',
    topic,
    ...known,
    ...(title ? { title } : {}),
    ...content,
    priority,
    ...(tags ? { tags } : {}),
    ...(actions ? { actions: actions as NtfyAction[] } : {}),
  });
}

/** server/actions.go: at most three, each with a label; http ones with an address. */
function assertActions(actions: unknown): void {
  if (actions === undefined) return;
  const isGood = ({ action, label, url }: Partial<NtfyAction>): boolean =>
    action === 'http' && Boolean(label) && /^https?:\/\//.test(url ?? '');
  if (!Array.isArray(actions) || actions.length > 3 || !actions.every(isGood)) throw new Refusal(40018);
}

function fieldsOf(text: string): {
  topic: string;
  title?: string;
  message?: string;
  priority?: number;
  tags?: string[];
  sequence_id?: string;
  actions?: unknown;
} {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Refusal(40017);
  }
  for (const [key, type] of Object.entries(FIELDS))
    if (given[key] !== undefined && typeof given[key] !== type) throw new Refusal(40017);
  const isStrings = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === 'string');
  if (given['tags'] !== undefined && !isStrings(given['tags'])) throw new Refusal(40017);
  return { ...given, topic: typeof given['topic'] === 'string' ? given['topic'] : '' };
}

function userOf(header: string | undefined, { users }: NtfyServer['rules']): string | null {
  if (header === undefined) return null;
  const user = users?.[header];
  if (user === undefined) throw new Refusal(40101);
  return user;
}

function assertWriter(user: string | null, { users, writers }: NtfyServer['rules']): void {
  if (users === null) return;
  if (user === null || (writers !== null && !writers.includes(user))) throw new Refusal(40301);
}

function add(published: NtfyMessage[], message: Omit<NtfyMessage, 'id' | 'time'>): NtfyMessage {
  const whole = {
    id: `m${String(published.length).padStart(11, '0')}`,
    time: Math.floor(Date.now() / 1_000),
    ...message,
  };
  published.push(whole);
  for (const listener of LISTENERS.get(published) ?? []) listener(whole);
  return whole;
}

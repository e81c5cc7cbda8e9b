// Joins a session of Codex that its server in the background holds: its prompt stays usable in the terminal. Seen with 0.169.0.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { asObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import type { FileReads, Handed } from '../../model/question/answering.ts';
import type { JoinedAnswer, JoinedSession, Joining, JoinListener, JoinPlace, Room } from '../../model/agent/joining.ts';
import { firstString } from '../shared/fields.ts';
import { type AppServer, openAppServer, trustedTarget } from './app-server.ts';
import { OwnAnswer } from './answer-under-way.ts';
import { questionOf, resultOf } from './session-requests.ts';

/** Requests that may be open at once; further ones are answered at the terminal. */
const MAX_REQUESTS = 20;
/** Bytes of a session's rollout that are looked at: what came of a question is near its end. */
const TAIL = 256 * 1024;

/** Where the server listens. */
export function socketPath({ home, env }: JoinPlace): string {
  return join(env['CODEX_HOME'] || join(home, '.codex'), 'app-server-control', 'app-server-control.sock');
}

export const joining: Joining = {
  through: 'the background server that holds sessions started as usual',
  answers: 'a command, a question, and the next instruction after it has finished',
  serves: ({ tool }) => tool?.name === 'Bash', // a patch is approved at its terminal
  join: joinThread,
  runs: async (place, sessionId) => (await withThread(place, sessionId, () => Promise.resolve(true))) ?? false,
  // As `codex queue` does it, whose text would stand in the list of processes.
  reply: async (place, sessionId, text, isOvertaken) => {
    const said = { threadId: sessionId, input: [{ type: 'text', text }], clientUserMessageId: randomUUID() };
    const queued = await withThread(place, sessionId, async (server) =>
      isOvertaken() ? 'late' : server.ask('thread/queue/add', said),
    );
    if (queued === 'late') return 'late';
    if (queued === undefined || queued === 'refused') return 'unsent';
    return queued === null ? 'unconfirmed' : 'taken';
  },
  room: async (place, sessionId) => (await withThread(place, sessionId, roomOf)) ?? 'unknown',
  fault: (place) => {
    const target = trustedTarget(socketPath(place));
    return typeof target === 'string' ? target : null;
  },
};

/** Whether the account of its sessions has room. One that signs in by a key, or has a provider of its own, has no figures of it. */
async function roomOf(server: AppServer): Promise<Room> {
  const signedIn = await server.call('account/read', {});
  if (signedIn !== null && asObject(signedIn['account'])['type'] !== 'chatgpt') return 'not asked';
  const limits = await server.call('account/rateLimits/read', {});
  return limits === null ? 'unknown' : roomIn(limits);
}

/** By the answer to `account/rateLimits/read`. Windows that nothing is said of say nothing. */
function roomIn({ ordinaryUsageAllowed, rateLimits }: JsonObject): Room {
  const { primary, secondary, rateLimitReachedType } = asObject(rateLimits);
  const used = [primary, secondary]
    .map((window) => asObject(window)['usedPercent'])
    .filter((of) => typeof of === 'number');
  if (ordinaryUsageAllowed === false || typeof rateLimitReachedType === 'string' || used.some((of) => of >= 100))
    return 'no';
  return used.length > 0 || ordinaryUsageAllowed === true ? 'yes' : 'unknown';
}

/** Only what runs there is joined: any other thread would be started a second time. */
async function isLoaded(server: AppServer, sessionId: string): Promise<boolean> {
  const loaded = await server.call('thread/loaded/list', {});
  return Array.isArray(loaded?.['data']) && loaded['data'].includes(sessionId);
}

/** What `act` says of the server that this thread runs in; undefined: it runs in none. */
async function withThread<T>(
  place: JoinPlace,
  sessionId: string,
  act: (server: AppServer) => Promise<T>,
): Promise<T | undefined> {
  const nothing = { request: () => undefined, notification: () => undefined, closed: () => undefined };
  const server = await openAppServer(socketPath(place), nothing);
  if (typeof server === 'string') return undefined;
  try {
    return (await isLoaded(server, sessionId)) ? await act(server) : undefined;
  } finally {
    server.close();
  }
}

async function joinThread(
  place: JoinPlace,
  sessionId: string,
  listener: JoinListener,
  files: FileReads,
): Promise<JoinedSession | string> {
  const thread = new Thread(sessionId, listener, files);
  const server = await openAppServer(socketPath(place), thread);
  if (typeof server === 'string') return server;
  if (!(await isLoaded(server, sessionId))) {
    server.close();
    return 'it runs in its terminal alone';
  }
  thread.begin(server);
  // What it asks is put to each client that joins.
  const resumed = await server.call('thread/resume', { threadId: sessionId, excludeTurns: true });
  if (resumed !== null) {
    thread.rollout = firstString(asObject(resumed['thread']), 'path');
    return thread;
  }
  thread.close();
  return 'its server does not let it be joined';
}

class Thread implements JoinedSession {
  readonly #id: string;
  readonly #listener: JoinListener;
  readonly #open = new Map<string, { readonly id: string | number; readonly params: JsonObject }>();
  /** Our own answers, until the server says what became of the request. */
  readonly #answering = new Map<string, OwnAnswer>();
  readonly #files: FileReads;
  #server: AppServer | null = null;
  /** Where its client writes down what the model reads; null: nowhere. */
  rollout: string | null = null;

  constructor(id: string, listener: JoinListener, files: FileReads) {
    this.#id = id;
    this.#listener = listener;
    this.#files = files;
  }

  begin(server: AppServer): void {
    this.#server = server;
  }

  request(id: string | number, method: string, params: JsonObject): void {
    if (params['threadId'] !== this.#id || this.#open.size >= MAX_REQUESTS) return;
    const question = questionOf(method, params);
    if (question === null) return;
    this.#open.set(keyOf(id), { id, params });
    this.#listener.asked({ id: keyOf(id), raw: JSON.stringify([method, params]), question });
  }

  notification(method: string, params: JsonObject): void {
    if (params['threadId'] !== this.#id) return;
    for (const own of [...this.#answering.values()]) own.hear(method, params);
    if (method !== 'serverRequest/resolved') return;
    const { requestId } = params;
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const key = keyOf(requestId);
    if (!this.#open.delete(key)) return;
    const own = this.#answering.get(key);
    if (own === undefined) this.#listener.resolved(key);
    else own.resolved();
  }

  closed(): void {
    for (const own of [...this.#answering.values()]) own.settle('unconfirmed');
    if (this.#server === null) return;
    this.#server = null;
    this.#listener.lost();
  }

  readonly answer = async (key: string, answer: JoinedAnswer): Promise<Handed> => {
    const request = this.#open.get(key);
    if (request === undefined || this.#answering.has(key)) return 'unsent';
    const { id, params } = request;
    const result = resultOf(params, answer);
    const own = new OwnAnswer({ answer, params, result }, this.#records);
    this.#answering.set(key, own);
    if (this.#server?.respond(id, result) !== true) own.settle('unsent');
    const how = await own.handed.finally(() => this.#answering.delete(key));
    if (how !== 'taken' || answer.type !== 'deny' || answer.message === null || Array.isArray(params['questions']))
      return how;
    return (await this.#tell(answer.message, params['turnId'])) ? 'taken' : 'unconfirmed';
  };

  readonly #records = async (): Promise<readonly JsonObject[]> => {
    const end = this.rollout === null ? null : await this.#files.end(this.rollout, TAIL);
    return (end?.text ?? '').split('\n').map((line) => asObject(parseJson(line)));
  };

  /** A decline takes no text: it goes into the turn that runs, else it begins one. */
  async #tell(text: string, turnId: unknown): Promise<boolean> {
    const input = [{ type: 'text', text }];
    const said = { threadId: this.#id, input };
    const steered = await this.#server?.call('turn/steer', { ...said, expectedTurnId: turnId });
    return steered != null || (await this.#server?.call('turn/start', said)) != null;
  }

  readonly close = (): void => {
    const server = this.#server;
    this.#server = null;
    server?.close();
  };
}

const keyOf = (id: string | number): string => `${typeof id}:${id}`;

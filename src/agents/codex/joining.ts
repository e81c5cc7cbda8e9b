// Joins a session of Codex that its server in the background holds: its prompt stays usable in the terminal. Seen with 0.169.0.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { asObject, type JsonObject } from '../../lib/json.ts';
import type { Handed } from '../../model/answering.ts';
import type { JoinedAnswer, JoinedSession, Joining, JoinListener, JoinPlace } from '../../model/joining.ts';
import { type AppServer, openAppServer, trustedTarget } from './app-server.ts';
import { questionOf, resultOf } from './requests.ts';

/** Ms in which the server says that an answer was taken. */
const TAKEN = 5_000;
/** Ms after which nobody has interrupted what was allowed in the moment when it was. */
const UNDISTURBED = 500;
/** Requests that may be open at once; further ones are answered at the terminal. */
const MOST = 20;

/** Where the server listens. */
export function socketPath({ home, env }: JoinPlace): string {
  return join(env['CODEX_HOME'] || join(home, '.codex'), 'app-server-control', 'app-server-control.sock');
}

export const joining: Joining = {
  through: 'the server in the background that holds the sessions of a usual start',
  answers: 'a command, a question, and the next instruction after it has finished',
  serves: ({ tool }) => tool?.name === 'Bash', // a patch is approved at its terminal
  join: joinThread,
  runs: async (place, sessionId) => (await withThread(place, sessionId, () => Promise.resolve(true))) ?? false,
  // As `codex queue` does it, whose text would stand in the list of processes.
  reply: async (place, sessionId, text) => {
    const said = { threadId: sessionId, input: [{ type: 'text', text }], clientUserMessageId: randomUUID() };
    const queued = await withThread(place, sessionId, (server) => server.ask('thread/queue/add', said));
    if (queued === undefined || queued === 'refused') return 'unsent';
    return queued === null ? 'unconfirmed' : 'taken';
  },
  fault: (place) => {
    const target = trustedTarget(socketPath(place));
    return typeof target === 'string' ? target : null;
  },
};

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
): Promise<JoinedSession | string> {
  const thread = new Thread(sessionId, listener);
  const server = await openAppServer(socketPath(place), thread);
  if (typeof server === 'string') return server;
  if (!(await isLoaded(server, sessionId))) {
    server.close();
    return 'it runs in its terminal alone';
  }
  thread.begin(server);
  // What it asks is put to each client that joins.
  if ((await server.call('thread/resume', { threadId: sessionId, excludeTurns: true })) !== null) return thread;
  thread.close();
  return 'its server does not let it be joined';
}

class Thread implements JoinedSession {
  readonly #id: string;
  readonly #listener: JoinListener;
  readonly #open = new Map<string, { readonly id: string | number; readonly params: JsonObject }>();
  /** Our own answers, until the server says what became of the request. */
  readonly #answering = new Map<string, OwnAnswer>();
  #server: AppServer | null = null;

  constructor(id: string, listener: JoinListener) {
    this.#id = id;
    this.#listener = listener;
  }

  begin(server: AppServer): void {
    this.#server = server;
  }

  request(id: string | number, method: string, params: JsonObject): void {
    if (params['threadId'] !== this.#id || this.#open.size >= MOST) return;
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
    const own = new OwnAnswer(answer, request.params);
    this.#answering.set(key, own);
    const { id, params } = request;
    if (this.#server?.respond(id, resultOf(params, answer)) !== true) own.settle('unsent');
    const how = await own.handed.finally(() => this.#answering.delete(key));
    if (how !== 'taken' || answer.type !== 'deny' || answer.message === null || Array.isArray(params['questions']))
      return how;
    return (await this.#tell(answer.message, params['turnId'])) ? 'taken' : 'unconfirmed';
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

/** An answer of ours that is on its way. The server says of a request that it is settled, not by whom: the terminal may have been first. */
class OwnAnswer {
  readonly handed: Promise<Handed>;
  /** The first one counts. */
  settle: (how: Handed) => void = () => undefined;
  readonly #answer: JoinedAnswer;
  readonly #params: JsonObject;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(answer: JoinedAnswer, params: JsonObject) {
    this.#answer = answer;
    this.#params = params;
    this.handed = new Promise<Handed>((resolve) => {
      this.settle = resolve;
    }).finally(() => this.#timers.forEach(clearTimeout));
    this.#after(TAKEN, 'unconfirmed');
  }

  /** What was allowed may run for hours; what was denied is over at once. */
  resolved(): void {
    if (Array.isArray(this.#params['questions'])) this.settle('taken');
    else if (this.#answer.type === 'allow') this.#after(UNDISTURBED, 'taken');
  }

  hear(method: string, { item, turn }: JsonObject): void {
    if (method === 'item/completed' && asObject(item)['id'] === this.#params['itemId']) {
      const isDeclined = asObject(item)['status'] === 'declined';
      this.settle(isDeclined === (this.#answer.type === 'deny') ? 'taken' : 'late');
    }
    // Interrupted before it ran, or while it did: that is not said.
    if (method === 'turn/completed' && asObject(turn)['id'] === this.#params['turnId'])
      this.settle(this.#answer.type === 'deny' ? 'late' : 'unconfirmed');
  }

  #after(ms: number, how: Handed): void {
    this.#timers.push(setTimeout(() => this.settle(how), ms));
  }
}

const keyOf = (id: string | number): string => `${typeof id}:${id}`;

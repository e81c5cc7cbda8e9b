// Joins a session of Codex that its server in the background holds: its prompt stays usable in the terminal. Seen with 0.169.0.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '../../lib/json.ts';
import type { Handed } from '../../model/answering.ts';
import type { JoinedAnswer, JoinedSession, Joining, JoinListener, JoinPlace } from '../../model/joining.ts';
import { type AppServer, openAppServer, trustedTarget } from './app-server.ts';
import { questionOf, resultOf } from './requests.ts';

/** Ms in which the server says that an answer was taken. */
const TAKEN = 5_000;
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
  /** Our own answers, until the server says that the request is settled. */
  readonly #answering = new Map<string, (handed: Handed) => void>();
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
    if (method !== 'serverRequest/resolved' || params['threadId'] !== this.#id) return;
    const { requestId } = params;
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const key = keyOf(requestId);
    if (!this.#open.delete(key)) return;
    const own = this.#answering.get(key);
    if (own === undefined) this.#listener.resolved(key);
    else own('taken');
  }

  closed(): void {
    for (const settle of [...this.#answering.values()]) settle('unconfirmed');
    if (this.#server === null) return;
    this.#server = null;
    this.#listener.lost();
  }

  readonly answer = async (key: string, answer: JoinedAnswer): Promise<Handed> => {
    const request = this.#open.get(key);
    if (request === undefined || this.#answering.has(key)) return 'unsent';
    const handed = new Promise<Handed>((resolve) => {
      const settle = (how: Handed): void => {
        clearTimeout(late);
        this.#answering.delete(key);
        resolve(how);
      };
      const late = setTimeout(() => settle('unconfirmed'), TAKEN);
      this.#answering.set(key, settle);
    });
    const { id, params } = request;
    if (this.#server?.respond(id, resultOf(params, answer)) !== true) this.#answering.get(key)?.('unsent');
    const how = await handed;
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

const keyOf = (id: string | number): string => `${typeof id}:${id}`;

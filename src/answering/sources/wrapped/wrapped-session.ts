// One client that `belfry run` has started: what its events file says, and what is written for it.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { WrappedClient } from '../../../ipc/wrapped-client.ts';
import type { Background } from '../../../lib/async/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Handed } from '../../../model/question/answering.ts';
import type { Ending } from '../../../model/question/endings.ts';
import type { SessionKey } from '../../../model/ids.ts';
import type { JoinedAnswer, JoinedRequest } from '../../../model/agent/joining.ts';
import { HERE } from '../../../model/session/whereabouts.ts';
import type { ClientProcess } from '../../../model/session/session.ts';
import type { Wrapping } from '../../../model/agent/wrapping.ts';
import { EventsFile } from './events-file.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';
import { SessionRequests } from '../joined/session-requests.ts';

/** Ms in which the client says that it took an answer, or shows a prompt: it looks twice a second. */
const TAKEN = 8_000;
/** Requests that may be open at once; further ones are answered at the terminal. */
const MAX_REQUESTS = 20;
/** Ms after which an answer that it says nothing of is written again, where that tells. */
const AGAIN = 1_200;

/** What became of a request: allowed or not; over, in whatever way; nothing is said; or it was not even answered. */
type Settled = boolean | 'over' | 'silent' | 'unsent';

/** What it needs. */
export interface WrappedSessionDeps {
  readonly clock: Clock;
  readonly background: Background;
  readonly questions: Pick<OpenQuestions, 'ask' | 'now' | 'giveUp'>;
  /** Its files are gone, as the client has exited; or they cannot be read, and `why` says so. */
  readonly gone: (why: string | null) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Follows from `start` on. */
export class WrappedSession {
  readonly about: WrappedClient;
  readonly client: ClientProcess | null;
  readonly #wrapping: Wrapping;
  readonly #deps: WrappedSessionDeps;
  readonly #events: EventsFile;
  readonly #requests: SessionRequests;
  readonly #open = new Map<string, JoinedRequest>();
  /** Our own answers, until the client says what became of the request. */
  readonly #answering = new Map<string, (settled: Settled) => void>();
  /** Our own instructions, until the client shows them as its prompts. */
  readonly #replying = new Set<{ readonly text: string; readonly settle: (handed: Handed) => void }>();
  #sessionId: string | null = null;
  /** Nothing is asked before all that was written is known. */
  #caughtUp = false;

  constructor(about: WrappedClient, wrapping: Wrapping, deps: WrappedSessionDeps) {
    this.about = about;
    this.#wrapping = wrapping;
    this.#deps = deps;
    const { pid, start } = about.client;
    this.client = start === null ? null : { pid, start, name: about.agent };
    const { clock, background, gone, questions } = deps;
    this.#requests = new SessionRequests(questions, {
      source: 'wrapped',
      client: this.client,
      answer: (id, answer) => this.#answer(id, answer),
      over: (id) => void this.#open.delete(id),
    });
    const { marks } = wrapping;
    const line = (value: JsonObject): void => this.#take(value);
    const failed = (error: unknown): void =>
      deps.log('a line of a client could not be taken', { agent: about.agent, error: String(error) });
    this.#events = new EventsFile({ path: about.events, marks, clock, background, line, failed, gone });
  }

  /** A text says why there is nothing to follow. */
  async start(): Promise<string | null> {
    const why = await this.#events.start();
    if (why !== null) return why;
    this.#caughtUp = true;
    if (this.#events.isOver) return null; // gone while it was read
    for (const request of this.#open.values()) this.#ask(request);
    // What it asked before and does not ask any more was answered while no daemon ran.
    this.#deps.questions.giveUp(this.session);
    return null;
  }

  /** It asks nothing any more. */
  end(why: Ending): void {
    this.#requests.end(why);
    this.close();
  }

  close(): void {
    this.#events.close();
    for (const settle of [...this.#answering.values()]) settle('silent');
    for (const { settle } of [...this.#replying]) settle('unconfirmed');
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Its hooks say it too, and they say when it is another one. */
  set sessionId(id: string | null) {
    this.#sessionId = id;
  }

  get session(): SessionKey {
    return { ...HERE, agent: this.about.agent, sessionId: this.#sessionId ?? this.about.id };
  }

  async #answer(requestId: string, answer: JoinedAnswer): Promise<Handed> {
    if (!this.#open.has(requestId) || this.#answering.has(requestId)) return 'unsent';
    const { now, again, reply } = this.#wrapping.answer(requestId, answer);
    const settled = this.#settled(requestId, again);
    if (!(await this.#write(now))) this.#answering.get(requestId)?.('unsent');
    const handed = handedOf(answer, await settled);
    if (handed !== 'taken' || reply === null) return handed;
    return (await this.reply(reply)) === 'taken' ? 'taken' : 'unconfirmed';
  }

  #settled(requestId: string, again: readonly JsonObject[]): Promise<Settled> {
    const { clock, background } = this.#deps;
    return new Promise((resolve) => {
      const repeat = clock.setTimer(AGAIN, () => again.length > 0 && background.run(this.#write(again)));
      const late = clock.setTimer(TAKEN, () => settle('silent'));
      const settle = (how: Settled): void => {
        repeat();
        late();
        this.#answering.delete(requestId);
        resolve(how);
      };
      this.#answering.set(requestId, settle);
    });
  }

  /** Hands it its next instruction. One that it shows as no prompt may still wait behind its work, or was a command of its own. */
  async reply(text: string): Promise<Handed> {
    const { clock } = this.#deps;
    let settle: (handed: Handed) => void = () => undefined;
    const handed = new Promise<Handed>((resolve) => {
      settle = resolve;
    });
    const own = { text: text.trim(), settle };
    this.#replying.add(own);
    const late = clock.setTimer(TAKEN, () => settle('unconfirmed'));
    try {
      return (await this.#write([this.#wrapping.reply(text)])) ? await handed : 'unsent';
    } finally {
      late();
      this.#replying.delete(own);
    }
  }

  /** What its events or its hooks show as its prompt. */
  prompted(text: string): void {
    for (const own of this.#replying) if (own.text === text.trim()) own.settle('taken');
  }

  #take(value: JsonObject): void {
    const message = this.#wrapping.read(value);
    if (message?.type === 'prompted') this.prompted(message.text);
    if (message?.type === 'session' || message?.type === 'prompted')
      this.#sessionId = message.sessionId ?? this.#sessionId;
    // Not every denial at the terminal is reported: a session that goes on has nothing open.
    if (message?.type === 'session' || message?.type === 'prompted')
      for (const requestId of [...this.#open.keys()]) this.#resolved(requestId, null);
    if (message?.type === 'asked' && this.#open.size < MAX_REQUESTS) {
      this.#open.set(message.request.id, message.request);
      if (this.#caughtUp) this.#ask(message.request);
    }
    if (message?.type === 'resolved') this.#resolved(message.requestId, message.allowed);
  }

  #resolved(requestId: string, allowed: boolean | null): void {
    if (!this.#open.delete(requestId)) return;
    const own = this.#answering.get(requestId);
    if (own !== undefined) own(allowed ?? 'over');
    else this.#requests.resolved(requestId);
  }

  #ask(request: JoinedRequest): void {
    this.#requests.ask(this.session, request);
  }

  /** Whole lines in one write, and only to a file that is there. */
  async #write(lines: readonly JsonObject[]): Promise<boolean> {
    try {
      const file = await open(this.about.answers, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
      try {
        await file.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        return true;
      } finally {
        await file.close();
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      // The client has exited and its files are gone; anything else is worth a line.
      if (code !== 'ENOENT')
        this.#deps.log('an answer could not be written for a client', { agent: this.about.agent, why: message });
      return false;
    }
  }
}

/** Whoever was first at the terminal has settled it in the other way, or in one that it does not tell. */
function handedOf({ type }: JoinedAnswer, how: Settled): Handed {
  if (how === 'unsent') return 'unsent';
  if (how === 'silent') return 'unconfirmed';
  const isOurs = type === 'allow' ? how === true : how !== true;
  return isOurs ? 'taken' : 'late';
}

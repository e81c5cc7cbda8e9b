// One session that has asked something, as it is joined: joined, lost, joined again with growing pauses, until it is over.
import type { Clock } from '../../../lib/clock.ts';
import type { FileReads } from '../../../model/question/answering.ts';
import type { SessionKey } from '../../../model/ids.ts';
import type { JoinedRequest, JoinedSession, Joining, JoinPlace } from '../../../model/agent/joining.ts';
import type { ClientProcess } from '../../../model/session/session.ts';
import type { OpenQuestions } from '../../questions/open-questions.ts';
import { SessionRequests } from './session-requests.ts';

/** A session that asks nothing is left after this long, ms: between its report and its question the client may decide by itself. */
const LINGER = 60_000;
/** What a session still asks comes within this time after it was joined, ms; one that lasts so long is in order. */
const REPEATED = 2_000;
/** Pauses before a session that was lost is joined again, ms; the last one again and again. */
const PAUSES = [300, 700, 1_500, 3_000, 6_000, 15_000, 30_000, 60_000] as const;
/** A lost session whose end cannot be seen is given up after this long, ms. */
const LONGEST_LOST = 3_600_000;

/** What it needs. */
export interface JoinedLifeDeps {
  readonly clock: Clock;
  readonly place: JoinPlace;
  readonly files: FileReads;
  readonly questions: Pick<OpenQuestions, 'ask' | 'now' | 'giveUp'>;
  /** Those of them that have exited. */
  readonly exited: (clients: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;
  /** Owns what it does by itself. */
  readonly run: (work: Promise<unknown>) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Called once. */
  readonly over: () => void;
}

/** `idle`: never joined; `joined`: what it still asks may be coming; `steady`: all of that is there; `lost`: it will be joined again. */
type State = 'idle' | 'joining' | 'joined' | 'steady' | 'lost' | 'over';

/** Not joined yet. */
export class JoinedLife {
  readonly #session: SessionKey;
  readonly #joining: Joining;
  readonly #deps: JoinedLifeDeps;
  #state: State = 'idle';
  /** What it asks through the connection that stands. */
  #requests: SessionRequests | null = null;
  #connection: JoinedSession | null = null;
  #client: ClientProcess | null = null;
  #cancel = (): void => undefined;
  /** Tries since it was in order. */
  #tries = 0;
  /** Unix ms; null: it is not. */
  #lostAt: number | null = null;

  constructor(session: SessionKey, joining: Joining, deps: JoinedLifeDeps) {
    this.#session = session;
    this.#joining = joining;
    this.#deps = deps;
  }

  /** Its exit is the end of the session. */
  set client(client: ClientProcess) {
    this.#client = client;
  }

  /** Unix ms since when it is lost; null: it is not. */
  get lostAt(): number | null {
    return this.#lostAt;
  }

  /** It says that it asks something: it is joined, at once where it was lost. */
  async wanted(): Promise<void> {
    if (this.#state === 'steady') this.#linger();
    if (this.#state !== 'idle' && this.#state !== 'lost') return;
    this.#tries = 0;
    await this.#join();
  }

  /** Nothing of it is heard any more, and its questions stay as they are. */
  close(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#cancel();
    this.#connection?.close();
    this.#deps.over();
  }

  /** Its hook says that it has ended; what it still asks shows that it has begun again. */
  ended(): void {
    if (this.#asksNothing()) this.end();
  }

  /** The session is over. */
  end(): void {
    if (this.#state === 'over') return;
    this.#deps.questions.giveUp(this.#session);
    this.close();
  }

  async #join(): Promise<void> {
    const { place, questions, files } = this.#deps;
    this.#cancel();
    this.#state = 'joining';
    let isLost = false;
    // What it asks comes while it is still being joined, and may be answered then.
    const requests = new SessionRequests(questions, {
      source: 'joined',
      client: null,
      answer: async (id, said) => {
        const connection = await joined;
        return typeof connection === 'string' ? 'unsent' : connection.answer(id, said);
      },
    });
    const heard = {
      asked: (request: JoinedRequest) => {
        if (!this.#isOver()) requests.ask(this.#session, request);
      },
      resolved: (id: string) => requests.resolved(id),
      lost: () => {
        isLost = true;
        requests.lose();
        if (this.#requests === requests) this.#lose();
      },
    };
    const joined = this.#joining.join(place, this.#session.sessionId, heard, files);
    const result = await joined;
    if (this.#isOver()) return typeof result === 'string' ? undefined : result.close();
    if (isLost) return this.#lose(); // already in the moment it was joined
    if (typeof result === 'string') return this.#refused(result);
    this.#requests = requests;
    this.#connection = result;
    this.#state = 'joined';
    this.#lostAt = null;
    this.#cancel = this.#deps.clock.setTimer(REPEATED, () => {
      this.#state = 'steady';
      this.#tries = 0;
      questions.giveUp(this.#session);
      this.#linger();
    });
  }

  #asksNothing(): boolean {
    return this.#requests === null || this.#requests.size === 0;
  }

  /** It may have ended while somebody else was waited for. */
  #isOver(): boolean {
    return this.#state === 'over';
  }

  /** One that was never joined is not of this kind. */
  #refused(why: string): void {
    const { agent, sessionId } = this.#session;
    if (this.#lostAt === null) {
      this.#deps.log('a session cannot be joined', { agent, session: sessionId, why });
      this.end();
    } else this.#lose();
  }

  #lose(): void {
    const { clock, run } = this.#deps;
    if (this.#isOver()) return;
    this.#cancel();
    this.#requests = null;
    this.#connection = null;
    this.#state = 'lost';
    this.#lostAt ??= clock.now();
    const pause = PAUSES[Math.min(this.#tries, PAUSES.length - 1)] ?? 0;
    this.#tries += 1;
    this.#cancel = clock.setTimer(pause, () => run(this.#again(this.#lostAt ?? clock.now())));
  }

  async #again(lostAt: number): Promise<void> {
    const { clock, exited } = this.#deps;
    this.#state = 'joining';
    const client = this.#client;
    const isGone = client === null ? clock.now() - lostAt > LONGEST_LOST : (await exited([client])).length > 0;
    if (this.#isOver()) return;
    if (isGone) this.end();
    else await this.#join();
  }

  /** Looks in a while whether it still asks something. */
  #linger(): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.setTimer(LINGER, () => {
      if (this.#asksNothing()) this.close();
      else this.#linger();
    });
  }
}

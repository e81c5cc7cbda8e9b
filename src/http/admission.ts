// How much each caller may have of the server: requests a second and under way, bytes of bodies, streams. Nobody's use shuts out another,
// and a share is kept for whoever may answer.
import type { Clock } from '../lib/clock.ts';
import { mayUse } from './access.ts';
import { createRateLimiter } from './rate-limit.ts';
import type { TokenIdentity, Tokens } from './tokens.ts';

/** Who asks: a token, or without one an address. */
export interface HttpCaller {
  readonly key: string;
  /** What is kept for whoever may answer is for it too. */
  readonly answers: boolean;
}

export function callerOf(token: TokenIdentity | null, peer: string): HttpCaller {
  if (token === null) return { key: `address ${peer}`, answers: false };
  return { key: `token ${token.id}`, answers: mayUse(token.scopes, 'questions.answer') };
}

/** How much of something there is. */
export interface Bound {
  /** For one caller. */
  readonly each: number;
  /** For all together. */
  readonly all: number;
  /** Of all, what is kept for whoever may answer. */
  readonly reserve: number;
}

/** What is shared. */
export interface AdmissionLimits {
  readonly perSecond: number;
  readonly requests: Bound;
  /** Of bodies, bytes. */
  readonly bytes: Bound;
  readonly streams: Bound;
}

const MB = 1024 * 1024;

export const ADMISSION_LIMITS: AdmissionLimits = {
  perSecond: 100,
  requests: { each: 32, all: 96, reserve: 32 },
  bytes: { each: 32 * MB, all: 72 * MB, reserve: 8 * MB },
  streams: { each: 8, all: 96, reserve: 32 },
};

/** Ms until the tokens of open streams are looked at again. */
const LOOK = 500;

/** What has been given out, by caller. */
export class Share {
  readonly #bound: Bound;
  readonly #used = new Map<string, number>();
  #all = 0;
  /** Of all, that of callers who may not answer. */
  #others = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  /** `own`: the caller has as much as it may; `all`: there is no more. Null: taken. */
  take({ key, answers }: HttpCaller, count = 1): 'own' | 'all' | null {
    const { each, all, reserve } = this.#bound;
    const own = (this.#used.get(key) ?? 0) + count;
    if (own > each) return 'own';
    if (this.#all + count > all || (!answers && this.#others + count > all - reserve)) return 'all';
    this.#used.set(key, own);
    this.#all += count;
    if (!answers) this.#others += count;
    return null;
  }

  give({ key, answers }: HttpCaller, count = 1): void {
    const left = (this.#used.get(key) ?? 0) - count;
    if (left > 0) this.#used.set(key, left);
    else this.#used.delete(key);
    this.#all -= count;
    if (!answers) this.#others -= count;
  }
}

/** A stream that has begun. */
export interface AdmittedStream {
  /** Fires when its token has ended. */
  readonly over: AbortSignal;
  end(): void;
}

interface OpenStream {
  readonly identity: TokenIdentity;
  readonly over: AbortController;
}

/** The one place that says no to too much. */
export class Admission {
  /** Whether this caller may make another request now. */
  readonly mayAsk: (caller: HttpCaller) => boolean;
  readonly requests: Share;
  readonly bytes: Share;
  readonly #streams: Share;
  readonly #open = new Set<OpenStream>();
  readonly #clock: Clock;
  readonly #isValid: Tokens['isValid'];
  #looking: (() => void) | null = null;

  constructor(clock: Clock, isValid: Tokens['isValid'], limits: AdmissionLimits = ADMISSION_LIMITS) {
    const limiter = createRateLimiter(clock.now, limits.perSecond);
    this.mayAsk = ({ key }) => limiter(key);
    this.requests = new Share(limits.requests);
    this.bytes = new Share(limits.bytes);
    this.#streams = new Share(limits.streams);
    this.#clock = clock;
    this.#isValid = isValid;
  }

  /** Until its token ends or `end` is called; else why there is none. */
  stream(caller: HttpCaller, identity: TokenIdentity): AdmittedStream | 'own' | 'all' {
    const refused = this.#streams.take(caller);
    if (refused !== null) return refused;
    const open: OpenStream = { identity, over: new AbortController() };
    this.#open.add(open);
    this.#lookLater();
    return {
      over: open.over.signal,
      end: () => {
        if (this.#open.delete(open)) this.#streams.give(caller);
        if (this.#open.size > 0) return;
        this.#looking?.();
        this.#looking = null;
      },
    };
  }

  #lookLater(): void {
    this.#looking ??= this.#clock.setTimer(LOOK, () => {
      this.#looking = null;
      void this.#look();
    });
  }

  /** Never rejects: a file that cannot be read makes no token valid. */
  async #look(): Promise<void> {
    for (const { identity, over } of [...this.#open]) if (!(await this.#isValid(identity))) over.abort();
    if (this.#open.size > 0) this.#lookLater();
  }
}

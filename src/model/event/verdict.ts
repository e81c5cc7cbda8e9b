// What the pipeline produces besides the event: verdicts, timers; and the silences it reads.

/** What a stage decided about an event, for `belfry why`. */
export interface Verdict {
  readonly stage: string;
  /** pass: continues; change: continues, altered; stop: nobody is notified (now); route: goes to these channels. */
  readonly verdict: 'pass' | 'change' | 'stop' | 'route';
  /** One line for a person: what and why. */
  readonly note: string;
  /** Of what waits for its client to decide by itself: for how long, ms. */
  readonly waits?: number;
  /** When it was decided, Unix ms, where that was later than what the event came to. */
  readonly at?: number;
  /** Of what was put off: when the first of it comes now, Unix ms. */
  readonly until?: number;
}

/** Something to do later: a row with a due time. */
export interface Timer {
  /** Setting one with the same id replaces it. */
  readonly id: string;
  /** hold, stall, liveness, watch, ... */
  readonly kind: string;
  /** Unix ms. */
  readonly due: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A silence set by `belfry mute`. */
export interface Silence {
  readonly id: string;
  /** Unix ms; null: until unmuted. */
  readonly until: number | null;
  readonly session: string | null;
  /** Folder glob. */
  readonly cwd: string | null;
  readonly channel: string | null;
  /** Urgent events are silenced too. */
  readonly all: boolean;
  readonly createdAt: number;
  /** Why, in the words of whoever set it; absent in rows of 0.1.0. */
  readonly reason?: string | null;
}

/** Those that are not over at `now`, Unix ms. */
export const silencesInForce = <T extends Silence>(silences: readonly T[], now: number): readonly T[] =>
  silences.filter(({ until }) => until === null || until > now);

/** A timer that somebody handles: nobody else does until the lease ends. */
export type LeasedTimer = Timer & { readonly token: string };

/** Handles one due timer. Clears or moves its row itself; a row left as it was is tried again a minute later. */
export type TimerHandler = (timer: Timer) => Promise<void>;

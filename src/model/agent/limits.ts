// Usage limits of an account with a model's service: what a client says of them, and what they are called.
import { durationSetting, formatElapsed } from '../quantities.ts';

/** A limit that a session has met. */
export interface LimitReached {
  /** Which: five-hour, day, week, month, usage (it is not said which), credit, organization; or another window's length, such as 8h. */
  readonly name: string;
  /** When it is over, Unix ms; null: nothing says so, and nothing is promised. */
  readonly resetsAt: number | null;
  /** Whether the client goes on by itself then; null: it has not said so yet. */
  readonly resumes: boolean | null;
}

/** How much of a limit is used up. */
export interface LimitUse {
  readonly name: string;
  /** Per cent. */
  readonly used: number;
  /** Unix ms; null: not known. */
  readonly resetsAt: number | null;
}

/** A turn that failed, or that waits to try again. */
export interface LimitedTurn {
  /** One of the causes of `session.failed`. */
  readonly cause: string | null;
  readonly message: string | null;
  /** The end of its transcript, oldest first; empty: none is read. */
  readonly records: readonly unknown[];
  /** When it was said, Unix ms. */
  readonly at: number;
  /** Zone of the client's clock; null: this machine's. */
  readonly zone: string | null;
}

/** How a client's limits are read. */
export interface AgentLimits {
  /** The account's limit that this turn met; null: none, as where requests came too fast, or none that is known. */
  readonly reached: (turn: LimitedTurn) => LimitReached | null;
  /** What is used of each by the transcript's last records; empty: they do not say. */
  readonly used?: (records: readonly unknown[]) => readonly LimitUse[];
  /** Where a failure's hook says less than its transcript: how that path ends outside the home, and ms until both are written. */
  readonly besideHook?: { readonly path: RegExp; readonly writtenWithin: number };
  /** For docs/agents/NAME.md: what is known of them. */
  readonly tells: string;
}

const WINDOWS: Readonly<Record<number, string>> = { 300: 'five-hour', 1440: 'day', 10080: 'week', 43200: 'month' };

/** The name of a limit by the length of its window, in minutes. */
export const limitOfWindow = (minutes: number): string => WINDOWS[minutes] ?? durationSetting(minutes * 60_000);

const WORDS: Readonly<Record<string, string>> = {
  'five-hour': '5-hour limit',
  day: 'daily limit',
  week: 'weekly limit',
  month: 'monthly limit',
  usage: 'usage limit',
  credit: 'credit',
  organization: "organization's limit",
};

/** "5-hour limit". */
export const limitWords = (name: string): string =>
  Object.hasOwn(WORDS, name) ? (WORDS[name] ?? name) : `${name} limit`;

/** "2 h 14 min left" of a limit, or that it is over; null: nothing says when that is. `now`: Unix ms. */
export function leftOf({ resetsAt }: Pick<LimitReached, 'resetsAt'>, now: number): string | null {
  if (resetsAt === null) return null;
  const left = formatElapsed((resetsAt - now) / 1_000);
  return left === null ? 'over' : `${left} left`;
}

/** The limit that a session's memory keeps; null: none. */
export function limitOf({ memory }: { readonly memory: Readonly<Record<string, unknown>> }): LimitReached | null {
  const { limit } = memory;
  return typeof limit === 'object' && limit !== null ? (limit as LimitReached) : null; // written by the pipeline only
}

/** Whose limit it is, as one text: all sessions of one agent that a user runs on a machine. */
export const limitKeyOf = (
  of: { readonly host: string; readonly user: string; readonly agent: string },
  name: string,
) => [of.host, of.user, of.agent, name].map(encodeURIComponent).join('/');

// When to try again: pure functions of how often it failed.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the 1st, 2nd, ... failed attempt, ms; the last repeats. */
export const RETRY_TABLE: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
];

/** Each wait is longer or shorter by up to this share, so that many do not come back at once. */
export const JITTER = 0.2;

/** Attempts that count, in all; those a receiver answered with "not now" do not. */
export const MAX_ATTEMPTS = 12;

/** Shortest wait a receiver can ask for, ms: "0" must not become a loop. */
const SHORTEST = SECOND;

/**
 * Ms to wait after the `failures`-th failed attempt (1 for the first). What the receiver asked for wins over the table.
 * `random`: 0 to 1.
 */
export function retryWait(failures: number, random: number, retryAfter?: number): number {
  if (retryAfter !== undefined) return Math.max(SHORTEST, retryAfter);
  const wait = RETRY_TABLE[Math.min(Math.max(failures, 1), RETRY_TABLE.length) - 1] ?? SHORTEST;
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}

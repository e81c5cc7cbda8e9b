// A bound on how often something happens, per key, over a sliding window.

/** Counts what happens; forgets what is older than the window. */
export interface RateLimit {
  /** False: it happened too often; it is not counted then. */
  take(key: string, now: number): boolean;
  /** Whether `take` would be true; nothing is counted. */
  allows(key: string, now: number): boolean;
}

/** Keys that are remembered; the oldest go first. */
const MOST_KEYS = 1_000;

/** At most `most` times in `ms` for each key. */
export function createRateLimit(most: number, ms: number): RateLimit {
  const taken = new Map<string, number[]>();
  const recentOf = (key: string, now: number): number[] =>
    (taken.get(key) ?? []).filter((at) => at > now - ms && at <= now);
  return {
    allows: (key, now) => recentOf(key, now).length < most,
    take: (key, now) => {
      const recent = recentOf(key, now);
      if (recent.length >= most) return false;
      taken.delete(key); // to the end: the order is that of use
      taken.set(key, [...recent, now]);
      const [oldest] = taken.keys();
      if (taken.size > MOST_KEYS && oldest !== undefined) taken.delete(oldest);
      return true;
    },
  };
}

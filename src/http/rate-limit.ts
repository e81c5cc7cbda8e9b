// Requests a second of one client: a bucket that fills again steadily.

/** Requests a client may make at once, and a second. */
export const REQUESTS_PER_SECOND = 100;

/** Clients remembered; the one not seen for longest is forgotten first. */
const CLIENTS = 1_024;

/** Answers whether this client may make another request now. */
export type RateLimiter = (client: string) => boolean;

/** `now`: Unix ms; a clock that is set back only makes it wait. */
export function createRateLimiter(now: () => number, perSecond = REQUESTS_PER_SECOND): RateLimiter {
  const buckets = new Map<string, { left: number; at: number }>();
  return (client) => {
    const at = now();
    const known = buckets.get(client);
    const passed = known === undefined ? 0 : Math.max(0, at - known.at);
    const left = known === undefined ? perSecond : Math.min(perSecond, known.left + (passed * perSecond) / 1_000);
    buckets.delete(client);
    buckets.set(client, { left: left >= 1 ? left - 1 : left, at });
    const oldest = buckets.keys().next().value;
    if (buckets.size > CLIENTS && oldest !== undefined) buckets.delete(oldest);
    return left >= 1;
  };
}

// The timers of a store, for tests that look at them: claimed with leases that are over at once, so that nobody else misses them.
import type { Timer } from '../../src/model/event/verdict.ts';
import type { Store } from '../../src/store/contract.ts';

const LEASE_MS = -Number.MAX_SAFE_INTEGER;

/** Those due at `now`, Unix ms, earliest first; all there are unless it is said. */
export async function timersDue(
  store: Pick<Store, 'claimTimers'>,
  now = Number.MAX_SAFE_INTEGER,
  limit = 10_000,
): Promise<readonly Timer[]> {
  const { timers } = await store.claimTimers({ now, leaseMs: LEASE_MS, limit });
  return timers.map(({ token: _, ...timer }) => timer);
}

/** When the earliest one is due, Unix ms; null: there is none. */
export async function nextTimer(store: Pick<Store, 'claimTimers'>): Promise<number | null> {
  return (await store.claimTimers({ now: 0, leaseMs: LEASE_MS, limit: 0 })).next;
}

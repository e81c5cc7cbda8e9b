// The last attempt at each channel: what shows whether it works.
import type { Attempt, DeliveryState } from '../../model/delivery/delivery.ts';
import type { StoreReader } from '../../store/contract.ts';

/** Deliveries looked at: the latest that ended, and the oldest that wait for a retry. */
const LOOKED_AT = 20;
const ENDED: readonly DeliveryState[] = ['sent', 'dead', 'paused'];
const OPEN: readonly DeliveryState[] = ['pending', 'leased'];

/** Null: nothing was ever sent through it. */
export async function lastAttempt(
  store: Pick<StoreReader, 'deliveries' | 'attempts'>,
  channel: string,
): Promise<Attempt | null> {
  const [ended, open] = await Promise.all([
    store.deliveries({ channel, states: ENDED, limit: LOOKED_AT }),
    store.deliveries({ channel, states: OPEN, limit: LOOKED_AT, fromOldest: true }),
  ]);
  const tried = [...ended, ...open].filter(({ attempts }) => attempts > 0);
  const attempts = await Promise.all(tried.map(async ({ id }) => (await store.attempts(id)).at(-1) ?? null));
  return attempts.reduce<Attempt | null>((last, one) => (one && one.at >= (last?.at ?? 0) ? one : last), null);
}

// How a channel's worker begins: with what a process before this one left.
import { type Breaker, createBreaker } from '../policy/breaker.ts';
import { channelFailingEvent } from '../policy/channel-failing.ts';
import type { DeliveryDeps } from '../deps.ts';

/** Leases of those who have ended are void, and paused deliveries whose channel recovered go on. Throws when the store is in trouble: then it has to be called again. */
export async function resume(channel: string, { store, clock, raise }: DeliveryDeps): Promise<Breaker> {
  const found = await createBreaker(channel, store, clock);
  const now = clock.now();
  await store.compensateClock(now);
  await store.reclaimLeases({ channel, now });
  if (!found.failing) await store.transition({ channel, from: ['paused'] }, 'pending', now);
  if (found.failing) await raise(channelFailingEvent(found.health));
  return found;
}

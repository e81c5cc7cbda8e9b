// Channels that are not in the settings any more: what waited for them becomes dead letters, which people see.
import { createTurns } from '../../lib/async/one-after-another.ts';
import type { Store } from '../../store/contract.ts';
import { healthy } from './breaker.ts';
import { dropResolved } from './channel-failing.ts';
import type { DeliveryDeps } from '../deps.ts';

/** What is said of such a delivery. */
export const removedReason = (channel: string): string => `there is no channel ${channel} any more`;

/** Makes dead letters of what is unfinished for channels other than `known`; returns how many. Should one come back, it starts over. */
async function deadLetterRemoved(
  store: Pick<Store, 'unfinishedChannels' | 'transition' | 'health' | 'setHealth'>,
  known: (channel: string) => boolean,
  now: number,
): Promise<number> {
  let count = 0;
  for (const channel of await store.unfinishedChannels())
    if (!known(channel)) {
      const last = { reason: 'invalid-config', error: removedReason(channel) } as const;
      const from = ['pending', 'leased', 'paused'] as const;
      // Nobody misses a change of what was sent.
      await store.transition({ channel, from, operations: ['update', 'retract'] }, 'cancelled', now, last);
      count += await store.transition({ channel, from }, 'dead', now, last);
    }
  for (const { channel, state } of await store.health())
    if (state === 'failing' && !known(channel)) await store.setHealth(healthy(channel, now));
  return count;
}

/** Gives up what waits for them. */
export interface RemovedChannels {
  /** One time after the other; never rejects. */
  readonly giveUp: (isServed: (channel: string) => boolean) => Promise<void>;
  /** Begins no more; resolves when it is through. */
  readonly stop: () => Promise<void>;
}

/** Does nothing by itself. */
export function createRemovedChannels({ store, clock, log }: DeliveryDeps): RemovedChannels {
  const inTurn = createTurns();
  let stopped = false;
  const giveUp = async (isServed: (channel: string) => boolean): Promise<void> => {
    if (stopped) return;
    const count = await deadLetterRemoved(store, isServed, clock.now());
    await dropResolved(store, clock.now()); // a channel that is gone fails no more
    if (count > 0) log('delivery: channels were removed from the settings, their deliveries are given up', { count });
  };
  return {
    giveUp: (isServed) =>
      inTurn(() => giveUp(isServed)).catch((error: unknown) =>
        log('delivery: the deliveries of removed channels could not be given up', { error: String(error) }),
      ),
    stop: () => {
      stopped = true;
      return inTurn(async () => undefined);
    },
  };
}

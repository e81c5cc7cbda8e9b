// Channels that are not in the settings any more: what waited for them becomes dead letters, which people see.
import type { Store } from '../store/contract.ts';
import { healthy } from './breaker.ts';

/** What is said of such a delivery. */
export const removedReason = (channel: string): string => `channel ${channel} was removed from config.toml`;

/** Makes dead letters of what is unfinished for channels other than `known`; returns how many. Should one come back, it starts over. */
export async function deadLetterRemoved(
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

// Ends holds whose reason is gone: a mute that ended while something was written for it, quiet hours that the settings changed.
import { isGroupHold, MUTE_HOLD } from '../../model/delivery/holds.ts';
import { muteHold } from '../../dispatch/silence.ts';
import { releaseTimer } from '../../dispatch/batch-plan.ts';
import type { Store } from '../../store/contract.ts';

/** Sends the digest of those mutes among `holds` that have ended already; true: a timer was set. `now`: Unix ms. */
export async function endStaleMutes(
  holds: Iterable<string>,
  store: Pick<Store, 'silences' | 'setTimer'>,
  now: number,
): Promise<boolean> {
  const mutes = [...new Set(holds)].filter((hold) => hold.startsWith(MUTE_HOLD));
  if (mutes.length === 0) return false;
  const inForce = new Set((await store.silences(now)).map(muteHold));
  const ended = mutes.filter((hold) => !inForce.has(hold));
  for (const hold of ended) await store.setTimer(releaseTimer(hold, now), now);
  return ended.length > 0;
}

/** At a start and with new settings: each hold is judged again, by its timer, and goes on if it is to. A group keeps its own time. */
export async function reviewHolds(
  store: Pick<Store, 'holds' | 'silences' | 'setTimer' | 'timers'>,
  now: number,
): Promise<void> {
  const holds = [...(await store.holds()).keys()];
  await endStaleMutes(holds, store, now);
  for (const hold of holds)
    if (isGroupHold(hold)) await keepGroupTimer(hold, store, now);
    else if (!hold.startsWith(MUTE_HOLD)) await store.setTimer(releaseTimer(hold, now), now);
}

/** What a group holds never waits without a timer. */
async function keepGroupTimer(hold: string, store: Pick<Store, 'setTimer' | 'timers'>, now: number): Promise<void> {
  const timers = await store.timers([hold]);
  if (timers.length === 0) await store.setTimer(releaseTimer(hold, now), now);
}

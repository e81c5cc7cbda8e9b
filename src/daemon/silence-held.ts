// What a group is about to send, when its channels have become quiet or muted meanwhile: it is held for their digest instead.
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../model/config.ts';
import type { Delivery } from '../model/delivery.ts';
import { digestTimer, heldUntil, type Hold, LONGEST_HOLD, mutedBy, muteHold, QUIET } from '../pipeline/index.ts';
import type { Store } from '../store/contract.ts';
import { channelProfiles } from './channel-profiles.ts';
import { endStaleMutes } from './stale-holds.ts';

interface Silenced {
  readonly store: Store;
  readonly clock: Clock;
  readonly home: string;
  readonly config: Config;
  /** Unix ms. */
  readonly now: number;
}

/** Holds back those that are silent now; returns the others. */
export async function silenceHeld(rows: readonly Delivery[], deps: Silenced): Promise<readonly Delivery[]> {
  const { store, config, home, now } = deps;
  const silences = rows.length === 0 ? [] : await store.silences(now);
  const profiles = channelProfiles(config);
  const holdOf = ({ channel, content, due }: Delivery): Hold | null => {
    if (due > now) return null;
    const mute = mutedBy(content.event, { channel, due: now }, silences, home);
    if (mute !== null) return { by: muteHold(mute), until: mute.until };
    const audience = profiles.get(channel)?.audience ?? 'records';
    const until = heldUntil({ channel, due: now }, content.event.urgency, audience, config.quiet);
    return until === null ? null : { by: QUIET, until };
  };
  const left: Delivery[] = [];
  const held = new Set<string>();
  for (const row of rows) {
    const hold = holdOf(row);
    if (hold === null) left.push(row);
    else {
      const until = hold.until ?? now + LONGEST_HOLD;
      await store.setTimer(digestTimer(hold.by, until), now); // first: a timer too many finds nothing
      await store.holdDelivery(row.id, hold.by, until, now);
      held.add(hold.by);
    }
  }
  await endStaleMutes(held, store, now); // one that was ended meanwhile has sent its digest without these
  return left;
}

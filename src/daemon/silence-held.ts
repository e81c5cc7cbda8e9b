// What a group is about to send, when its channels have become quiet or muted meanwhile: it is held for their digest instead.
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import { deliveryIdOf } from '../model/ids.ts';
import { rowFields } from '../model/planned-delivery.ts';
import {
  digestTimer,
  type GroupPlan,
  heldUntil,
  type Hold,
  laterContent,
  LONGEST_HOLD,
  mutedBy,
  muteHold,
  planEscalation,
  planReminders,
  QUIET,
} from '../pipeline/index.ts';
import { atLevel } from '../redaction/index.ts';
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
  /** What follows the group; null: nothing is known of it. */
  readonly steps: Pick<GroupPlan, 'escalate' | 'repeat' | 'only'> | null;
}

/** The steps that the group would have sent after it: of what is held instead they follow the digest. Written before it is held, and only once. */
async function keepSteps(row: Delivery, { store, config, now, steps }: Silenced): Promise<void> {
  if (steps === null) return;
  const { notificationId, eventId, threadKey, content, due } = row;
  for (const planned of planEscalation(steps.escalate, { due, revision: 1, only: steps.only })) {
    const { channel, after = 0 } = planned;
    const level = config.channels.find(({ name }) => name === channel)?.level ?? config.redaction.level;
    await store.addDelivery({
      ...newDelivery(now),
      ...rowFields(planned),
      id: deliveryIdOf(eventId, channel, { notificationId, ...planned }),
      ...{ notificationId, eventId, threadKey, scheduled: true },
      content: laterContent(atLevel(content, level), after),
    });
  }
}

/** The same of its reminders. */
async function keepReminders(row: Delivery, { store, config, now, steps }: Silenced): Promise<void> {
  const { notificationId, due, channel } = row;
  if (typeof steps?.repeat !== 'number' || channelProfiles(config).get(channel)?.audience !== 'people') return;
  const reminded = { first: due, repeat: steps.repeat, channels: [{ channel, only: steps.only }] };
  const { timer } = planReminders(notificationId, reminded, { revision: 1 }, now);
  if ((await store.timers([timer.id])).length === 0) await store.setTimer(timer, now);
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
  const judged = rows.map((row) => ({ row, hold: holdOf(row) }));
  const left = judged.flatMap(({ row, hold }) => (hold === null ? [row] : []));
  const held = new Set<string>();
  for (const { row, hold } of judged) {
    if (hold === null) continue;
    const until = hold.until ?? now + LONGEST_HOLD;
    await store.setTimer(digestTimer(hold.by, until), now); // first: a timer too many finds nothing
    if (left.length === 0) await keepSteps(row, deps); // else the group goes out, and has them
    await keepReminders(row, deps);
    await store.holdDelivery(row.id, hold.by, until, now);
    held.add(hold.by);
  }
  await endStaleMutes(held, store, now); // one that was ended meanwhile has sent its digest without these
  return left;
}

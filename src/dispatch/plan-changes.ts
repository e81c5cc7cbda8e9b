// What becomes, on the channels that have a notification, of one that is over or that somebody has acknowledged.
import type { Resolution } from '../model/channel/channel.ts';
import type { ChannelProfiles } from '../model/channel/profile.ts';
import type { PlannedDelivery } from '../model/delivery/delivery.ts';
import type { ChannelFacts, NotificationFacts } from './notification-facts.ts';

/** What to do about one notification. */
export interface PlannedChanges {
  /** Of the notification's row after it: above everything that was sent or planned of it. */
  readonly revision: number;
  /** An `update` or a `retract` a message, due at once; empty where every channel keeps what it has. */
  readonly plan: readonly PlannedDelivery[];
}

const OPERATIONS = { update: 'update', remove: 'retract' } as const;

/** What is planned for later than this, ms, is not on its way by the time that a change is written. */
const SOON = 60_000;

/** Something is there that can be changed, or may be there by the time this is written; `at`: Unix ms. */
function reaches({ sends, due, retracted }: ChannelFacts, at: number): boolean {
  if (retracted || sends === 'none') return false;
  return sends !== 'scheduled' || (due !== null && due <= at + SOON);
}

/**
 * Plans the changes of one notification; pure. Used by the `resolve` stage, and by an acknowledgement with its own words.
 *
 * `open`: the notification with how far it got on each channel (`notificationFacts`, of the rows that `store.deliveryProgress` gives).
 * `profiles`: of the configured channels; on one that is not configured any more nothing changes.
 * `resolution`: the words that people read ("answered in the terminal after 40 s", "acknowledged by dev") and Unix ms.
 *
 * A notification has a message a step on a channel (a reminder is one of its own), and each of them is changed.
 * A channel whose send still waits, or is planned for soon, gets the change as well: a worker may take that send before the plan is
 * written, or nothing takes it back. The store leaves out a change of what was neither sent nor is on its way once the cancellations of
 * the same decision are made. What is unsent is taken back by the caller: with `cancel` of a decision.
 */
export function planChanges(
  open: NotificationFacts,
  profiles: ChannelProfiles,
  resolution: Resolution,
): PlannedChanges {
  const revision = 1 + Math.max(open.notification.revision, ...open.channels.map((channel) => channel.revision));
  const plan = open.channels
    .filter((message) => reaches(message, resolution.at))
    .flatMap(({ channel, step }): readonly PlannedDelivery[] => {
      const onResolved = profiles.get(channel)?.onResolved ?? 'keep';
      if (onResolved === 'keep') return [];
      const when = { step, due: resolution.at, unless: 'none', only: 'always' } as const;
      return [{ channel, operation: OPERATIONS[onResolved], revision, ...when, reason: resolution.why }];
    });
  return { revision, plan };
}

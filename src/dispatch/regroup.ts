// What becomes of a batch when it is due: it is sent, it grows in place, it shrinks, or it is over. Pure.
import type { ChannelProfiles } from '../model/channel/profile.ts';
import type { GroupState, Member, Notification } from '../model/notification/notification.ts';
import type { DeliveryProgress, PlannedCancel, PlannedDelivery } from '../model/delivery/delivery.ts';
import { takesMembers } from './group.ts';
import type { BatchPlan } from './batch-plan.ts';
import { FIRST_REMINDER, planEscalation } from './escalation.ts';
import type { ChannelFacts, NotificationFacts } from './notification-facts.ts';

/** An event of which a send was held for the batch, and is let out. */
export interface Arrival extends Member {
  readonly channel: string;
  readonly notificationId: string;
  /** Of the send that was held. */
  readonly step: number;
  /** Its further steps are the batch's. */
  readonly later?: true;
  /** Only a record wants it any more. */
  readonly isOver: boolean;
}

/** One open notification of the group, with what became of its members. */
export interface OpenGroup {
  readonly facts: NotificationFacts;
  readonly rows: readonly DeliveryProgress[];
  readonly group: GroupState;
}

/** Its members, each as it is now. */
export function membersNow(
  { members }: GroupState,
  states: ReadonlyMap<string, Notification['state']>,
): GroupState['members'] {
  return members.map((member) => ({ ...member, isOver: isDealtWith(states.get(member.event.id)) }));
}

/** Whether nobody needs to be notified of it any more. */
export const isDealtWith = (state: Notification['state'] = 'open'): boolean =>
  state === 'resolved' || state === 'acknowledged';

/** What is to be done. */
export interface Regrouped {
  readonly members: GroupState['members'];
  /** Of the group's notification after it. */
  readonly revision: number;
  readonly plan: readonly PlannedDelivery[];
  /** None were planned yet. */
  readonly beginsReminders: boolean;
  /** What the group has unsent, and the sends of those that came. */
  readonly cancel: readonly PlannedCancel[];
}

/** With what came, each event once: on a channel that it came to alone, it is not in the batch. */
function withArrivals(before: GroupState['members'], arrivals: readonly Arrival[]): GroupState['members'] {
  const all = new Map(before.map((member) => [member.event.id, member]));
  for (const { event, title, channel, isOver, later } of arrivals) {
    const known = all.get(event.id) ?? { event, title, isOver, channels: [] };
    all.set(event.id, { ...known, ...(later && { later }), channels: [...new Set([...known.channels, channel])] });
  }
  return [...all.values()];
}

/** Null: the channel keeps what it has. */
function operationOf(
  facts: ChannelFacts | undefined,
  hasNew: boolean,
  updates: boolean,
): PlannedDelivery['operation'] | null {
  switch (facts?.sends) {
    case 'sent':
      return updates ? 'update' : hasNew ? 'send' : null;
    case 'leased': // sent again, or changed where it has arrived by then
      return updates || hasNew ? 'send' : null;
    case 'waiting':
    case 'scheduled':
      return 'send';
    default:
      return hasNew ? 'send' : null;
  }
}

/** Further steps that are still to come, with what the group is now, at their old times and in what holds them. */
function laterSteps(rows: readonly DeliveryProgress[], revision: number): readonly PlannedDelivery[] {
  return rows
    .filter(({ step, state }) => step > 0 && (state === 'pending' || state === 'paused'))
    .map(({ channel, step, due, unless, only, heldBy }) => {
      const own = { channel, operation: 'send', step, revision, due, unless, only } as const;
      return { ...own, ...(heldBy !== null && { heldBy }), reason: 'not acknowledged' };
    });
}

/** What the group's notification is replaced by: its unsent operations, where something takes their place. */
function superseded(open: OpenGroup, planned: readonly PlannedDelivery[]): readonly PlannedCancel[] {
  const { id: notificationId } = open.facts.notification;
  const channels = [...new Set(planned.map(({ channel }) => channel))];
  if (channels.length === 0) return [];
  return [{ notificationId, because: 'superseded', channels, note: 'replaced by a later one of its group' }];
}

/** `open`: the notification that takes what came; null: a new one, with this id, is opened. */
export interface RegroupInput {
  readonly id: string;
  readonly open: OpenGroup | null;
  /** As they are now. */
  readonly members: GroupState['members'];
  readonly arrivals: readonly Arrival[];
  readonly plan: BatchPlan;
  readonly profiles: ChannelProfiles;
  /** How the note begins of what the batch takes the place of; its id follows. */
  readonly note: string;
  /** Unix ms. */
  readonly now: number;
}

/** Sends a batch, or changes it. */
export function regroup({ id, open, members, arrivals, plan: how, profiles, note, now }: RegroupInput): Regrouped {
  const rows = open?.rows ?? [];
  const revision =
    open === null ? 1 : 1 + Math.max(open.facts.notification.revision, ...rows.map((row) => row.revision));
  const first = (open?.facts.channels ?? []).filter(({ step }) => step === 0);
  const channels = [...new Set([...first, ...arrivals].map(({ channel }) => channel))];
  const changes = channels.flatMap((channel): readonly PlannedDelivery[] => {
    const hasNew = arrivals.some((arrival) => arrival.channel === channel);
    if (!hasNew && arrivals.length > 0) return []; // what came is for others
    const { updates = false, audience = 'people' } = profiles.get(channel) ?? {};
    const shown = first.find((one) => one.channel === channel);
    const operation = operationOf(shown, hasNew, updates);
    if (operation === null) return [];
    const unless = operation === 'update' ? 'none' : audience === 'people' ? 'acknowledged' : 'resolved';
    const only = operation === 'update' ? 'always' : how.only;
    return [{ channel, operation, step: 0, revision, due: now, unless, only, reason: 'its group' }];
  });
  const joinedMembers = withArrivals(members, arrivals);
  const later = rows.filter(({ step }) => step > 0);
  // Once for the whole group; a storm may take what is escalated after it has begun.
  const begins = later.every(({ step }) => step >= FIRST_REMINDER) && joinedMembers.some(({ isOver }) => !isOver);
  const begun =
    begins && arrivals.length > 0 ? planEscalation(how.escalate, { due: now, revision, only: how.only }) : [];
  const steps = [...begun, ...laterSteps(rows, revision)];
  const plan = [...changes, ...steps];
  const joined = arrivals.map(
    ({ notificationId, channel, step }): PlannedCancel => ({
      notificationId,
      because: 'superseded',
      channels: [channel],
      step,
      note: `${note}${id}`,
    }),
  );
  return {
    members: joinedMembers,
    revision,
    plan,
    beginsReminders: later.every(({ step }) => step < FIRST_REMINDER),
    cancel: [...joined, ...(open === null ? [] : superseded(open, plan))],
  };
}

/** Whether people should be shown that some are over: a group of what waits for them is kept true. */
export function shrank(before: GroupState, now: GroupState['members']): boolean {
  const waits = now.some(({ event }) => event.kind === 'agent.waiting');
  return waits && now.some(({ isOver }, i) => isOver && before.members[i]?.isOver === false);
}

/** The open notification that takes what came, the latest; null: none does. */
export function takingOf(opens: readonly OpenGroup[], every: number, now: number): OpenGroup | null {
  const latest = opens.at(-1) ?? null;
  return latest !== null && takesMembers(latest.facts.notification, { every }, now) ? latest : null;
}

// The rows of a group or a storm: its notification as it stands, its operations in each channel's level, and its reminders.
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import { STORM_HOLD } from '../model/holds.ts';
import { deliveryIdOf } from '../model/ids.ts';
import {
  type Member,
  type Notification,
  NOTIFICATION_LIFETIME,
  type NotificationContent,
} from '../model/notification.ts';
import { type PlannedDelivery, rowFields } from '../model/planned-delivery.ts';
import type { Timer } from '../model/verdict.ts';
import {
  groupContent,
  type GroupPlan,
  heldUntil,
  laterContent,
  planReminders,
  type Regrouped,
  stormContent,
} from '../pipeline/index.ts';
import { atLevel } from '../redaction/index.ts';
import type { StoreReader } from '../store/contract.ts';
import { channelProfiles } from './channel-profiles.ts';
import { displayName } from './event-title.ts';

/** Which group, and what goes out with it. */
export interface GroupOf {
  readonly id: string;
  readonly hold: string;
  readonly plan: GroupPlan;
  /** Its row before; null: it is new. */
  readonly before: Notification | null;
  /** The sends that were held for it. */
  readonly rows: readonly Delivery[];
}

/** Rows, and the timer of its reminders. */
export interface BuiltGroup {
  readonly notification: Notification;
  readonly deliveries: readonly Delivery[];
  readonly timers: readonly Timer[];
}

/** What those with this title are shown: one alone as it was to be sent alone. */
function contentOf(shown: readonly Member[], first: Event, hold: string, alone: NotificationContent | null) {
  const own = hold.startsWith(STORM_HOLD)
    ? stormContent(shown, first, displayName(first.agent))
    : groupContent(shown, first, alone);
  return own ?? alone;
}

/** First sends that begin a notification are followed by reminders. */
function remindersOf(id: string, plan: GroupPlan, sends: readonly PlannedDelivery[], config: Config, now: number) {
  const profiles = channelProfiles(config);
  const channels = sends.filter(({ channel, step }) => step === 0 && profiles.get(channel)?.audience === 'people');
  if (plan.repeat === null || channels.length === 0) return null;
  const reminded = { first: now, repeat: plan.repeat, channels };
  return planReminders(id, reminded, { revision: 1 }, now);
}

/** Quiet hours do not end a step: it waits for their end. */
function notInQuiet(planned: PlannedDelivery, urgency: Event['urgency'], config: Config): PlannedDelivery {
  if (planned.step === 0) return planned;
  const audience = channelProfiles(config).get(planned.channel)?.audience ?? 'records';
  return { ...planned, due: heldUntil(planned, urgency, audience, config.quiet) ?? planned.due };
}

/** Those that are not over; all where every one is. */
function stillOpen(members: Regrouped['members']): Regrouped['members'] {
  const open = members.filter(({ isOver }) => !isOver);
  return open.length > 0 ? open : members;
}

/** Ms after the group's first send: of a step that is planned again, those that it was planned with. */
async function afterOf(
  { after, channel, step, due }: PlannedDelivery,
  notificationId: string,
  createdAt: number,
  store: Pick<StoreReader, 'deliveries'>,
): Promise<number> {
  if (after !== undefined) return after;
  const [before] = await store.deliveries({ notificationId, channel, step, limit: 1 });
  return before?.content.after ?? due - createdAt;
}

/** Builds them. */
export async function buildGroup(
  { members, revision, plan, beginsReminders }: Regrouped,
  { id, hold, plan: how, before, rows }: GroupOf,
  {
    config,
    store,
    now,
  }: { readonly config: Config; readonly store: Pick<StoreReader, 'event' | 'deliveries'>; readonly now: number },
): Promise<BuiltGroup> {
  const shown = stillOpen(members);
  const firstOf = async (of: readonly Member[]): Promise<Event> => {
    const id = of[0]?.event.id ?? '';
    const held = rows.find(({ eventId }) => eventId === id) ?? rows[0];
    const event = (await store.event(id))?.event ?? held?.content.event;
    if (event === undefined) throw new Error(`nothing is kept of ${hold}`);
    return event;
  };
  const first = await firstOf(shown);
  const firstId = first.id;
  const held = rows.find(({ eventId }) => eventId === firstId);
  const general = contentOf(shown, first, hold, held?.content ?? null);
  if (general === null) throw new Error(`${hold} has no members`);
  const createdAt = before?.createdAt ?? now;
  const reminders = beginsReminders ? remindersOf(id, how, plan, config, now) : null;
  const all = [...plan, ...(reminders?.plan ?? [])].map((planned) => notInQuiet(planned, general.urgency, config));
  const eventId = members[0]?.event.id ?? firstId;
  const built = all.map(async (one): Promise<Delivery> => {
    const planned = rowFields(one);
    const own = config.channels.find(({ name }) => name === planned.channel);
    const came = members.filter(({ channels }) => channels.includes(planned.channel));
    const here = planned.step > 0 || came.length === 0 ? shown : stillOpen(came);
    const leading = await firstOf(here);
    const alone = rows.find((row) => row.eventId === leading.id && row.channel === planned.channel)?.content ?? null;
    const whole = contentOf(here, leading, hold, alone) ?? general;
    const content = whole === alone ? whole : atLevel(whole, own?.level ?? config.redaction.level);
    return {
      ...newDelivery(now),
      ...planned,
      id: deliveryIdOf(eventId, planned.channel, { notificationId: id, ...planned }),
      ...{ notificationId: id, eventId, threadKey: hold, scheduled: planned.due > now },
      content: planned.step === 0 ? content : laterContent(content, await afterOf(one, id, createdAt, store)),
    };
  });
  const last = Math.max(now, ...all.map(({ due }) => due));
  const notification: Notification = {
    ...{ id, threadKey: hold, kind: first.kind, detail: hold.startsWith(STORM_HOLD) ? 'storm' : 'group' },
    ...{ urgency: general.urgency, title: general.title, state: 'open', revision, version: before?.version ?? 0 },
    eventIds: members.map(({ event }) => event.id),
    group: { members, sentAt: now, every: how.every },
    ...{ createdAt, updatedAt: now, acknowledged: null, resolved: null },
    expiresAt: last + NOTIFICATION_LIFETIME,
  };
  return { notification, deliveries: await Promise.all(built), timers: reminders === null ? [] : [reminders.timer] };
}

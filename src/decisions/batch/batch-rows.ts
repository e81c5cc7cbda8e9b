// The rows of a batch: its notification as it stands, its operations in each channel's level, and its reminders.
import { agentTitle } from '../../agents/index.ts';
import type { Regrouped } from '../../dispatch/regroup.ts';
import type { BatchPlan } from '../../dispatch/batch-plan.ts';
import { digestContent } from '../../dispatch/digest.ts';
import { laterContent, planEscalation } from '../../dispatch/escalation.ts';
import { forecast, gatedPlan, type GateFacts } from '../../dispatch/gate.ts';
import { memberEvent } from '../../dispatch/combined-text.ts';
import { groupContent } from '../../dispatch/group.ts';
import { planReminders } from '../../dispatch/remind.ts';
import { stormContent } from '../../dispatch/storm.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import type { Config } from '../../model/settings/config.ts';
import { type Delivery, newDelivery, type PlannedDelivery, rowFields } from '../../model/delivery/delivery.ts';
import type { Event } from '../../model/event/event.ts';
import { eventTitle } from '../event-title.ts';
import { isDigestThread, STORM_HOLD } from '../../model/delivery/holds.ts';
import { deliveryIdOf } from '../../model/ids.ts';
import {
  type BatchMember,
  type Member,
  type MemberEvent,
  type Notification,
  NOTIFICATION_LIFETIME,
  type NotificationContent,
} from '../../model/notification/notification.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { atLevel } from '../../redaction/index.ts';
import type { StoreReader } from '../../store/contract.ts';

/** Which batch, and what goes out with it. */
export interface BatchOf {
  readonly id: string;
  /** Its thread key: what held it, or of a digest that with the time of its end. */
  readonly thread: string;
  readonly plan: BatchPlan;
  /** Its row before; null: it is new. */
  readonly before: Notification | null;
  /** The sends that were held for it. */
  readonly rows: readonly Delivery[];
}

/** Rows, and the timer of its reminders. */
export interface BatchRows {
  readonly notification: Notification;
  readonly deliveries: readonly Delivery[];
  readonly timers: readonly Timer[];
}

interface Around {
  readonly config: Config;
  readonly profiles: ChannelProfiles;
  readonly store: Pick<StoreReader, 'event' | 'events' | 'deliveries'>;
  /** Unix ms. */
  readonly now: number;
}

const kindOf = (thread: string): 'digest' | 'storm' | 'group' =>
  isDigestThread(thread) ? 'digest' : thread.startsWith(STORM_HOLD) ? 'storm' : 'group';

interface Shown {
  readonly step: number;
  /** For a digest: sessions that stood still meanwhile, and went on. */
  readonly wentOn: readonly Member[];
}

/** Whether a channel that got the first hears of the second: of its session, or of one that its limit stopped. */
const isOfSame = (got: MemberEvent, { sessionId, agent, host, user }: MemberEvent): boolean =>
  got.agent === agent &&
  got.host === host &&
  got.user === user &&
  (got.sessionId === sessionId || (got.sessionId === null && got.kind.startsWith('limit.')));

/** What went on since the first of these; of batches that are no digest nothing. */
async function wentOnSince(members: readonly BatchMember[], thread: string, { store }: Around): Promise<Member[]> {
  if (kindOf(thread) !== 'digest') return [];
  const since = Math.min(...members.map(({ event }) => event.at));
  const events = await store.events({ kinds: ['agent.other'], text: 'continued', since });
  return events
    .filter(({ event }) => event.detail === 'continued')
    .map(({ event }) => ({ event: memberEvent(event), title: eventTitle(event) }));
}

/** What members are shown as: in a group or in what follows a digest, one alone as it was to be sent alone. */
function contentOf(
  shown: readonly BatchMember[],
  first: Event,
  { thread, step, now, wentOn }: Pick<BatchOf, 'thread'> & Pick<Around, 'now'> & Shown,
  alone: NotificationContent | null,
): NotificationContent | null {
  const kind = kindOf(thread);
  if (kind === 'digest' && step === 0)
    return digestContent(shown, first, { hold: thread.slice(thread.indexOf(':') + 1), now, wentOn });
  if (kind === 'storm') return stormContent(shown, first, agentTitle(first.agent)) ?? alone;
  return groupContent(shown, first, alone) ?? alone;
}

/** First sends that begin a notification are followed by reminders. */
function remindersOf(id: string, plan: BatchPlan, sends: readonly PlannedDelivery[], { profiles, now }: Around) {
  const channels = sends.filter(({ channel, step }) => step === 0 && profiles.get(channel)?.audience === 'people');
  if (plan.repeat === null || channels.length === 0) return null;
  const reminded = { first: now, repeat: plan.repeat, channels };
  return planReminders(id, reminded, { revision: 1 }, now);
}

/** Quiet hours do not end a step: it waits for their end. */
function afterQuiet(planned: PlannedDelivery, first: Event, { config, profiles }: Around): PlannedDelivery {
  if (planned.step === 0) return planned;
  const known = { silences: [], profiles, failing: new Set<string>(), home: '' };
  const asked = forecast(gatedPlan(planned, first), { ...known, quiet: config.quiet }, planned.due);
  return asked.verdict === 'wait' ? { ...planned, due: asked.until } : planned;
}

/** Those that are not over; all where every one is. */
function stillOpen(members: readonly BatchMember[]): readonly BatchMember[] {
  const open = members.filter(({ isOver }) => !isOver);
  return open.length > 0 ? open : members;
}

/** What a step of a channel tells of: what came to it, and of further steps those that they are for. */
function shownIn({ channel, step }: PlannedDelivery, members: readonly BatchMember[]): readonly BatchMember[] {
  const own = step > 0 ? members.filter(({ later }) => later) : members.filter((one) => one.channels.includes(channel));
  return stillOpen(own.length > 0 ? own : members);
}

/** Ms after the batch's first send: of a step that is planned again, those that it was planned with. */
async function afterOf(
  { after, channel, step, due }: PlannedDelivery,
  notificationId: string,
  createdAt: number,
  { store }: Around,
): Promise<number> {
  if (after !== undefined) return after;
  const [before] = await store.deliveries({ notificationId, channel, step, limit: 1 });
  return before?.content.after ?? due - createdAt;
}

/** Builds them. */
export async function batchRows(
  { members, revision, plan, beginsReminders }: Regrouped,
  { id, thread, plan: how, before, rows }: BatchOf,
  around: Around,
): Promise<BatchRows> {
  const { config, store, now } = around;
  const shown = stillOpen(members);
  const firstOf = async (of: readonly BatchMember[]): Promise<Event> => {
    const id = of[0]?.event.id ?? '';
    const held = rows.find(({ eventId }) => eventId === id) ?? rows[0];
    const event = (await store.event(id))?.event ?? held?.content.event;
    if (event === undefined) throw new Error(`nothing is kept of ${thread}`);
    return event;
  };
  const first = await firstOf(shown);
  const held = rows.find(({ eventId }) => eventId === first.id);
  const wentOn = await wentOnSince(members, thread, around);
  const general = contentOf(shown, first, { thread, step: 0, now, wentOn }, held?.content ?? null);
  if (general === null) throw new Error(`${thread} has no members`);
  const createdAt = before?.createdAt ?? now;
  const reminders = beginsReminders ? remindersOf(id, how, plan, around) : null;
  const all = [...plan, ...(reminders?.plan ?? [])].map((planned) => afterQuiet(planned, general.event, around));
  const eventId = members[0]?.event.id ?? first.id;
  const built = all.map(async (one): Promise<Delivery> => {
    const planned = rowFields(one);
    const { channel, step } = planned;
    const here = shownIn(one, members);
    const leading = await firstOf(here);
    const alone = rows.find((row) => row.eventId === leading.id && row.channel === channel)?.content ?? null;
    const own = members.filter(({ channels }) => channels.includes(channel));
    const went = wentOn.filter((one) => own.some((member) => isOfSame(member.event, one.event)));
    const whole = contentOf(here, leading, { thread, step, now, wentOn: went }, alone) ?? general;
    const level = config.channels.find(({ name }) => name === channel)?.level ?? config.redaction.level;
    const content = whole === alone ? whole : atLevel(whole, level);
    return {
      ...newDelivery(now),
      ...planned,
      id: deliveryIdOf(eventId, channel, { notificationId: id, ...planned }),
      notificationId: id,
      eventId,
      threadKey: thread,
      scheduled: planned.due > now,
      content: step === 0 ? content : laterContent(content, await afterOf(one, id, createdAt, around)),
    };
  });
  const last = Math.max(now, ...all.map(({ due }) => due));
  const notification: Notification = {
    id,
    threadKey: thread,
    kind: first.kind,
    detail: kindOf(thread),
    urgency: general.urgency,
    title: general.title,
    state: 'open',
    revision,
    version: before?.version ?? 0,
    eventIds: members.map(({ event }) => event.id),
    group: { members, sentAt: now, every: how.every },
    createdAt,
    updatedAt: now,
    acknowledged: null,
    resolved: null,
    expiresAt: last + NOTIFICATION_LIFETIME,
  };
  return { notification, deliveries: await Promise.all(built), timers: reminders === null ? [] : [reminders.timer] };
}

/** What would have followed a group, of an event that something else holds before it went out: planned for itself, and counted from when that is let out. */
export async function stepRows(
  row: Delivery,
  plan: BatchPlan | null,
  escalates: boolean,
  { config, gate, now }: { readonly config: Config; readonly gate: GateFacts; readonly now: number },
  store: Pick<StoreReader, 'timers'>,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly timers: readonly Timer[] }> {
  if (plan === null) return { deliveries: [], timers: [] };
  const { notificationId, eventId, threadKey, channel, content, due } = row;
  const { escalate, repeat, only } = plan;
  const steps = escalates ? planEscalation(escalate, { due, revision: 1, only }) : [];
  const deliveries = steps.map((planned): Delivery => {
    const level = config.channels.find(({ name }) => name === planned.channel)?.level ?? config.redaction.level;
    return {
      ...newDelivery(now),
      ...rowFields(planned),
      id: deliveryIdOf(eventId, planned.channel, { notificationId, ...planned }),
      notificationId,
      eventId,
      threadKey,
      scheduled: true,
      content: laterContent(atLevel(content, level), planned.after ?? 0),
    };
  });
  if (repeat === null || gate.profiles.get(channel)?.audience !== 'people') return { deliveries, timers: [] };
  const { timer } = planReminders(
    notificationId,
    { first: due, repeat, channels: [{ channel, only }] },
    { revision: 1 },
    now,
  );
  return { deliveries, timers: (await store.timers([timer.id])).length === 0 ? [timer] : [] };
}

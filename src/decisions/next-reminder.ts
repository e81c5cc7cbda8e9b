// Plans the next reminder of a notification when the one before is due, while nobody has acknowledged or resolved it.
import { type Delivery, newDelivery, type PlannedDelivery, rowFields } from '../model/delivery/delivery.ts';
import { deliveryIdOf } from '../model/ids.ts';
import type { Notification } from '../model/notification/notification.ts';
import { laterContent, type PlannedReminders, planReminders, reminderOf } from '../pipeline/index.ts';
import { REMINDED_FOR } from '../dispatch/remind.ts';
import type { Plan } from './writer.ts';
import { gateFacts } from './ask-gate.ts';
import { forecast, gatedPlan } from '../dispatch/gate.ts';
import { firstNotified } from '../dispatch/later-steps.ts';
import type { Timer, TimerHandler } from '../model/event/verdict.ts';
import type { BatchDeps } from './batch/let-out.ts';

type ReminderDeps = BatchDeps;
type Reminding = NonNullable<ReturnType<typeof reminderOf>>;

/** What was sent so soon after it was due was sent in time, ms. */
const TOLERANCE = 1_000;
/** Most deliveries of one notification on one channel that are read. */
const MAX_DELIVERIES = 200;

/** The row of a reminder, with the content that its channel was given first, of a group last. None: that is not kept any more. */
async function rowOf(
  one: PlannedDelivery,
  postponed: number,
  { id: notificationId, threadKey }: Notification,
  { store, now: clockNow }: ReminderDeps,
): Promise<readonly Delivery[]> {
  const { channel, due, step, revision } = rowFields(one);
  const rows = await store.deliveries({ notificationId, channel, limit: MAX_DELIVERIES });
  // One of this number was planned during an outage, and a digest took its place.
  const taken = rows.findLast((row) => row.step === step && row.state === 'superseded');
  const planned = { ...rowFields(one), revision: Math.max(revision, (taken?.revision ?? 0) + 1) };
  const before = rows.findLast(({ step }) => step === 0) ?? rows[0];
  if (before === undefined) return [];
  const now = clockNow();
  const id = deliveryIdOf(before.eventId, channel, { notificationId, ...planned });
  const own = { id, notificationId, eventId: before.eventId, threadKey, scheduled: due > now };
  return [
    { ...newDelivery(now), ...planned, ...own, content: laterContent(before.content, (one.after ?? 0) + postponed) },
  ];
}

/** Until when a channel is quiet or muted for a reminder, Unix ms; null: it is not then. Endless: until somebody unmutes. */
type EndOf = (planned: PlannedDelivery) => number | null;

async function endsOf(notification: Notification, now: number, deps: ReminderDeps): Promise<EndOf> {
  const facts = await gateFacts(deps, now);
  const event = (await deps.store.event(notification.eventIds[0] ?? ''))?.event ?? null;
  if (event === null) return () => null;
  return (planned) => {
    const members = notification.group?.members.map((member) => member.event);
    const verdict = forecast(gatedPlan(planned, event, members), facts, planned.due);
    return verdict.verdict === 'hold' || verdict.verdict === 'wait' ? (verdict.until ?? Infinity) : null;
  };
}

/** The next one that is due when its channel is neither quiet nor muted, on the channels that are not then; where all of them are, after the first end. */
function nextOf(reminded: Reminding, { revision }: Notification, now: number, endOf: EndOf): PlannedReminders {
  const next = planReminders(reminded.notification, reminded, { revision }, now);
  const ends = next.plan.flatMap((planned) => endOf(planned) ?? []);
  const end = Math.min(...ends);
  const heard = (plan: PlannedReminders['plan']) => plan.filter((planned) => endOf(planned) === null);
  if (ends.length < next.plan.length || end === Infinity) return { ...next, plan: heard(next.plan) };
  const after = planReminders(reminded.notification, reminded, { revision }, end);
  return { ...after, plan: heard(after.plan) };
}

/** What is repeated, counted from when people were notified; null: nobody was yet. */
async function countedOf(
  reminded: Reminding,
  now: number,
  { store, profiles }: ReminderDeps,
): Promise<Reminding | null> {
  const known = profiles();
  const isForPeople = (channel: string): boolean => known.get(channel)?.audience === 'people';
  const { notification: notificationId } = reminded;
  const rows = await store.deliveries({
    notificationId,
    operations: ['send'],
    limit: MAX_DELIVERIES,
    fromOldest: true,
  });
  const notified = firstNotified(rows, { isForPeople, now });
  if (notified === null) return null;
  const first = (notified ?? reminded.first) + (notified === undefined ? 0 : (reminded.postponed ?? 0));
  return Math.abs(first - reminded.first) > TOLERANCE ? { ...reminded, first } : reminded;
}

/** Null: there is nobody to remind, or not yet. */
async function remind(timer: Timer, deps: ReminderDeps): Promise<Plan | null> {
  const { store } = deps;
  const reminded = reminderOf(timer);
  const notification = reminded === null ? null : await store.notification(reminded.notification);
  if (reminded === null || notification?.state !== 'open') {
    await store.clearTimer(timer.id);
    return null;
  }
  const now = deps.now();
  const counted = await countedOf(reminded, now, deps);
  if (counted === null) {
    const again = planReminders(reminded.notification, { ...reminded, first: now }, notification, now);
    await store.setTimer(again.timer, now);
    return null;
  }
  const next = nextOf(counted, notification, now, await endsOf(notification, now, deps));
  if (next.timer.due - counted.first > REMINDED_FOR) {
    await store.clearTimer(timer.id);
    return null;
  }
  // One that comes back to the settings is reminded again.
  const served = new Set(deps.config().channels.map(({ name }) => name));
  const plan = next.plan.filter(({ channel }) => served.has(channel));
  const rows = await Promise.all(plan.map((planned) => rowOf(planned, counted.postponed ?? 0, notification, deps)));
  return {
    entryId: `${timer.id}:${timer.due}`,
    at: now,
    notifications: [{ ...notification, updatedAt: now }],
    deliveries: rows.flat(),
    timers: { set: [next.timer] },
  };
}

/** For timers of kind `remind`. */
export function reminderHandler(deps: ReminderDeps): TimerHandler {
  return async (timer) => {
    const done = await deps.writer.write(() => remind(timer, deps));
    // Decided before the clock was set back.
    if (done.result === 'already')
      for (const next of done.decision.timers.set) await deps.store.setTimer(next, deps.now());
  };
}

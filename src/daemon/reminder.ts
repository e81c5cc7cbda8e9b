// Plans the next reminder of a notification when the one before is due, while nobody has acknowledged or resolved it.
import type { Config } from '../model/config.ts';
import { type Delivery, newDelivery } from '../model/delivery.ts';
import { deliveryIdOf } from '../model/ids.ts';
import type { Notification } from '../model/notification.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import type { Timer } from '../model/verdict.ts';
import { heldUntil, laterContent, type PlannedReminders, planReminders, reminderOf } from '../pipeline/index.ts';
import type { Decision } from '../store/contract.ts';
import type { Committed } from './commit-decision.ts';
import { decideAgain } from './decide-again.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import type { TimerHandler } from './scheduler.ts';

type ReminderDeps = Pick<PipelineRunnerDeps, 'store' | 'clock' | 'config' | 'wake' | 'decided'>;

/** Ms after its first send in which people are reminded of a notification; it stays open and listed. */
const REMINDED_FOR = 24 * 3_600_000;
/** Most deliveries of one notification on one channel that are read. */
const MOST = 200;

/** The row of a reminder, with the content that its channel was given first, of a group last. None: that is not kept any more. */
async function rowOf(
  { reason: _reason, ...planned }: PlannedDelivery,
  { id: notificationId, threadKey }: Notification,
  first: number,
  { store, clock }: ReminderDeps,
): Promise<readonly Delivery[]> {
  const { channel, due } = planned;
  const rows = await store.deliveries({ notificationId, channel, limit: MOST });
  const before = rows.findLast(({ step }) => step === 0) ?? rows[0];
  if (before === undefined) return [];
  const now = clock.now();
  const id = deliveryIdOf(before.eventId, channel, { notificationId, ...planned });
  const own = { id, notificationId, eventId: before.eventId, threadKey, scheduled: due > now };
  return [{ ...newDelivery(now), ...planned, ...own, content: laterContent(before.content, due - first) }];
}

/** The next one that is due outside of quiet hours, on the channels that are not quiet then; where all of them are, after the first end. */
function nextOf(
  reminded: NonNullable<ReturnType<typeof reminderOf>>,
  notification: Notification,
  now: number,
  config: Config,
): PlannedReminders {
  const endOf = (planned: PlannedDelivery): number | null =>
    heldUntil(planned, notification.urgency, 'people', config.quiet);
  const next = planReminders(reminded.notification, reminded, notification, now);
  const quiet = next.plan.flatMap((planned) => endOf(planned) ?? []);
  if (quiet.length === 0) return next;
  if (quiet.length < next.plan.length) return { ...next, plan: next.plan.filter((planned) => endOf(planned) === null) };
  const after = planReminders(reminded.notification, reminded, notification, Math.min(...quiet));
  return { ...after, plan: after.plan.filter((planned) => endOf(planned) === null) };
}

async function remind(timer: Timer, deps: ReminderDeps): Promise<Committed> {
  const { store, clock } = deps;
  const reminded = reminderOf(timer);
  const notification = reminded === null ? null : await store.notification(reminded.notification);
  if (reminded === null || notification?.state !== 'open') {
    await store.clearTimer(timer.id);
    return 'already';
  }
  const now = clock.now();
  const next = nextOf(reminded, notification, now, deps.config());
  if (next.timer.due - reminded.first > REMINDED_FOR) {
    await store.clearTimer(timer.id);
    return 'already';
  }
  const rows = await Promise.all(next.plan.map((planned) => rowOf(planned, notification, reminded.first, deps)));
  const decision: Decision = {
    ...{ entryId: `${timer.id}:${timer.due}`, at: now, events: [], cancel: [], sessions: [] },
    notifications: [{ ...notification, updatedAt: now }],
    deliveries: rows.flat(),
    timers: { set: [next.timer], clear: [] },
  };
  const settled = await store.commitDecision(decision);
  if (settled === 'already') await store.setTimer(next.timer, now); // decided before the clock was set back
  if (settled !== 'written') return settled;
  deps.wake([...new Set(decision.deliveries.map(({ channel }) => channel))]);
  deps.decided(decision);
  return settled;
}

/** For timers of kind `remind`. */
export function reminderHandler(deps: ReminderDeps): TimerHandler {
  return async (timer) => void (await decideAgain(() => remind(timer, deps)));
}

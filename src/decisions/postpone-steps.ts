// Puts off what follows a notification's first message: its escalation and reminders come that much later, or are brought back. Acknowledging cancels them as ever.
import { laterBy } from '../dispatch/escalation.ts';
import { postponedBy, postponedReminders, REMIND } from '../dispatch/remind.ts';
import type { Delivery } from '../model/delivery/delivery.ts';
import type { Notification } from '../model/notification/notification.ts';
import { acknowledgedWords } from '../model/notification/resolution.ts';
import { formatDuration } from '../model/quantities.ts';
import type { AcknowledgedBy } from './acknowledge.ts';
import type { DecidingDeps } from './deciding-deps.ts';
import type { Plan } from './writer.ts';

/** `nothing`: no step or reminder of it is planned for later, or none was put off that could be brought back; `over`: it is not open any more. `steps`: what was put off, with its new time. */
export type Postponed =
  | { readonly result: 'postponed'; readonly steps: readonly Pick<Delivery, 'channel' | 'step' | 'due'>[] }
  | { readonly result: 'nothing' | 'over' };

/** Most planned sends of one notification that are looked at. */
const MOST = 500;

/** Null: there is nothing to put off. */
async function planOf(
  notification: Notification,
  ms: number,
  who: AcknowledgedBy,
  deps: DecidingDeps,
): Promise<Plan | null> {
  const { store } = deps;
  const { id, version, eventIds, putOff = 0 } = notification;
  const at = deps.now();
  const filter = {
    notificationId: id,
    operations: ['send'],
    states: ['pending'],
    scheduled: true,
    limit: MOST,
  } as const;
  // What a mute or quiet hours hold comes in a digest; what was tried is on its way.
  const rows = (await store.deliveries(filter)).filter(
    ({ step, heldBy, attempts, due }) => step > 0 && heldBy === null && attempts === 0 && due > at,
  );
  const timers = await store.timers([`${REMIND}:${id}`]);
  if (rows.length === 0 && timers.length === 0) return null;
  // What was put off is brought back, and no more; nothing is due before now, and no reminder before it was planned.
  const shift = Math.max(ms, -putOff);
  if (shift === 0) return null;
  const moved = (due: number): number => Math.max(due + shift, Math.min(due, at));
  const stored = eventIds[0] === undefined ? null : await store.event(eventIds[0]);
  const whom = acknowledgedWords(who).replace(/^acknowledged /, '');
  const reminders = timers.map((timer) =>
    postponedReminders(timer, Math.max(moved(timer.due) - timer.due, -postponedBy(timer))),
  );
  const until = Math.min(...rows.map(({ due }) => moved(due)), ...reminders.map(({ due }) => due));
  const said =
    shift < 0
      ? { note: `what follows comes ${formatDuration(-shift)} earlier again, ${whom}` }
      : { note: `what follows was put off for ${formatDuration(shift)} ${whom}`, until };
  return {
    entryId: `postpone:${id}:${version}`,
    at,
    events:
      stored === null
        ? []
        : [
            {
              event: stored.event,
              fingerprint: stored.fingerprint,
              verdicts: [{ stage: 'postpone', verdict: 'change', at, ...said }],
            },
          ],
    notifications: [{ ...notification, putOff: putOff + shift, updatedAt: at }],
    rewrite: rows.map(({ notificationId, channel, step, content, due }) => ({
      ...{ notificationId, channel, step },
      content: laterBy(content, moved(due) - due),
      from: due,
      due: moved(due),
    })),
    timers: { set: reminders },
  };
}

/** Null: there is no such notification. `ms`: how much later; negative: brought back by so much. */
export async function postponeSteps(
  id: string,
  ms: number,
  who: AcknowledgedBy,
  deps: DecidingDeps,
): Promise<Postponed | null> {
  const done = await deps.writer.write(async () => {
    const notification = await deps.store.notification(id);
    return notification?.state === 'open' ? planOf(notification, ms, who, deps) : null;
  }, `notification ${id}`);
  if (done.result === 'nothing') {
    const notification = await deps.store.notification(id);
    return notification && { result: notification.state === 'open' ? 'nothing' : 'over' };
  }
  const steps = (done.decision.rewrite ?? []).map(({ channel, step, due }) => ({ channel, step, due }));
  return { result: 'postponed', steps };
}

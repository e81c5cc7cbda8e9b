// Reminders of one notification: one is planned ahead, and when it is due a timer plans the next.
import { type Only, ONLY, type PlannedDelivery } from '../model/delivery/delivery.ts';
import { notificationIdOf } from '../model/ids.ts';
import type { Timer } from '../model/event/verdict.ts';
import { FIRST_REMINDER, type FirstSend, later, unacknowledgedFor } from './escalation.ts';

/** Kind of the timers that plan the next reminder. */
export const REMIND = 'remind';
/** Ms after its first send in which people are reminded of a notification; it stays open and listed. */
export const REMINDED_FOR = 24 * 3_600_000;

/** A channel that is reminded. */
export interface RemindedChannel {
  readonly channel: string;
  readonly only: Only;
}

/** What is to be repeated. */
export interface Reminded {
  /** When the first send was due, Unix ms. */
  readonly first: number;
  /** Ms. */
  readonly repeat: number;
  readonly channels: readonly RemindedChannel[];
  /** By how much somebody has put them off, ms: they count from so long after the first send. */
  readonly postponed?: number;
}

/** The next reminder, and the timer that plans the one after it. */
export interface PlannedReminders {
  readonly plan: readonly PlannedDelivery[];
  readonly timer: Timer;
}

/**
 * The next reminder after `now`, on these channels: one at a time is planned, and the next when it was due. Those that passed while
 * nothing ran are left out. Times are Unix ms, `repeat` ms.
 */
export function planReminder(
  channels: readonly string[],
  repeat: number,
  first: FirstSend,
  now: number,
): readonly PlannedDelivery[] {
  const number = Math.max(1, Math.floor((now - first.due) / repeat) + 1);
  const passed = number * repeat;
  const step = { ...later(first), step: FIRST_REMINDER + number - 1, due: first.due + passed, after: passed };
  return [...new Set(channels)].map((channel) => ({
    channel,
    ...step,
    reason: `reminder ${number}: ${unacknowledgedFor(passed)}`,
  }));
}

/** Plans the next reminder of a notification after `now`, Unix ms. */
export function planReminders(
  notificationId: string,
  reminded: Reminded,
  { revision }: Pick<FirstSend, 'revision'>,
  now: number,
): PlannedReminders {
  const { first, repeat, channels, postponed } = reminded;
  const plan = channels.flatMap(({ channel, only }) =>
    planReminder([channel], repeat, { due: first, revision, only }, now),
  );
  const due = plan[0]?.due ?? now + repeat;
  const number = Math.round((due - first) / repeat);
  // Counted, not a time: a clock that is set back moves only the timer's own.
  const data = { notification: notificationId, number, repeat, channels, ...(postponed && { postponed }) };
  return { plan, timer: { id: `${REMIND}:${notificationId}`, kind: REMIND, due, data } };
}

/** What a timer of kind REMIND keeps; null: it is damaged. */
export function reminderOf({ data, due }: Timer): (Reminded & { readonly notification: string }) | null {
  const { event, notification = ofEvent(event), number, repeat, channels, postponed } = data;
  if (typeof notification !== 'string' || typeof number !== 'number' || typeof repeat !== 'number' || !(repeat > 0))
    return null;
  const list: readonly Partial<RemindedChannel>[] = Array.isArray(channels) ? channels : [];
  const reminded = list.flatMap(({ channel, only }) => {
    const known = ONLY.find((one) => one === only);
    return typeof channel === 'string' && known !== undefined ? [{ channel, only: known }] : [];
  });
  const putOff = typeof postponed === 'number' && postponed > 0 ? { postponed } : {};
  return { notification, first: due - number * repeat, repeat, channels: reminded, ...putOff };
}

/** The timer of reminders that somebody puts off by `ms`: the next one and all that follow come so much later. */
export function postponedReminders(timer: Timer, ms: number): Timer {
  const postponed = postponedBy(timer) + ms;
  return { id: timer.id, kind: timer.kind, due: timer.due + ms, data: { ...timer.data, postponed } };
}

/** By how much they were put off until now, ms. */
export function postponedBy({ data: { postponed } }: Timer): number {
  return typeof postponed === 'number' ? postponed : 0;
}

/** Timers of earlier versions name the event. */
const ofEvent = (event: unknown): unknown => (typeof event === 'string' ? notificationIdOf(event) : undefined);

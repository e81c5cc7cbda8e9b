// What is shown in place of rows whose text was damaged on the disk while the daemon runs: one bad row must not hide the others.
import type { Attempt } from '../../../model/delivery/delivery.ts';
import type { Event } from '../../../model/event/event.ts';
import type { NotificationContent } from '../../../model/notification/notification.ts';
import { internalEvent } from '../../../model/event/internal-event.ts';

const DAMAGED = '(damaged on the disk)';

/** In place of an event; `at`: Unix ms. */
export function placeholderEvent(id: string, at: number): Event {
  return internalEvent({ id, kind: 'agent.other', at, message: DAMAGED, presetText: null });
}

/** In place of the notification of a delivery; `at`: Unix ms. */
export function placeholderContent(eventId: string, at: number): NotificationContent {
  return {
    title: DAMAGED,
    body: '',
    urgency: 'normal',
    abnormal: false,
    count: 1,
    event: { ...placeholderEvent(eventId, at), message: null },
    events: [eventId],
    context: { messages: [] },
  };
}

/** In place of an attempt: it counts as a failed one, so that no delivery is tried for ever. */
export function placeholderAttempt(deliveryId: string, number: number): Attempt {
  return {
    deliveryId,
    number,
    at: 0,
    ms: 0,
    ok: false,
    reason: null,
    error: DAMAGED,
    answer: null,
    status: null,
    next: DAMAGED,
  };
}

// The notification that an event opens, as a row: once in whatever number of channels and decisions.
import type { Event } from '../../model/event/event.ts';
import { notificationIdOf, threadKeyOf } from '../../model/ids.ts';
import { type Notification, NOTIFICATION_LIFETIME } from '../../model/notification/notification.ts';

/**
 * `before`: the row as it was read, if there is one; it is opened again. `title`: redacted. `now`, `last`: Unix ms; it lives on after the
 * last of what is planned of it.
 */
export function openNotification(
  event: Event,
  title: string,
  before: Notification | null,
  now: number,
  last = now,
): Notification {
  const { kind, detail, urgency } = event;
  return {
    id: notificationIdOf(event.id),
    threadKey: threadKeyOf(event),
    kind,
    detail,
    urgency,
    title,
    state: 'open',
    revision: before?.revision ?? 1,
    version: before?.version ?? 0,
    eventIds: [event.id],
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    acknowledged: null,
    resolved: null,
    expiresAt: Math.max(now, last) + NOTIFICATION_LIFETIME,
  };
}

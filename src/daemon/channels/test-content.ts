// What a test notification says.
import type { Event } from '../../model/event/event.ts';
import { internalEvent, TEST_TITLE } from '../../model/event/internal-event.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import type { Place } from '../../model/session/place.ts';

/** `channel`: its name in the settings; `id`: of the event; `at`: Unix ms; `place`: of whoever tests. */
export function testContent(
  channel: string,
  id: string,
  at: number,
  place: Place | null,
): { readonly event: Event; readonly content: NotificationContent } {
  const presetText = { title: TEST_TITLE, body: `This is what a notification on ${channel} looks like.` };
  const event = internalEvent({ id, kind: 'test', at, presetText, place });
  const { urgency } = event;
  const about = { urgency, abnormal: false, count: 1, event, events: [id], context: { messages: [] } };
  return { event, content: { ...presetText, ...about } };
}

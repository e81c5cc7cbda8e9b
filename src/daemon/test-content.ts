// What a test notification says.
import type { Event } from '../model/event.ts';
import { internalEvent, TEST_TITLE } from '../model/internal-event.ts';
import type { NotificationContent } from '../model/notification.ts';

/** `channel`: its name in the settings; `id`: of the event; `at`: Unix ms. */
export function testContent(
  channel: string,
  id: string,
  at: number,
): { readonly event: Event; readonly content: NotificationContent } {
  const presetText = { title: TEST_TITLE, body: `This is what a notification on ${channel} looks like.` };
  const event = internalEvent({ id, kind: 'test', at, presetText });
  const { urgency } = event;
  const about = { urgency, abnormal: false, count: 1, event, events: [id], context: { messages: [] } };
  return { event, content: { ...presetText, ...about } };
}

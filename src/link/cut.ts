// How much of a row leaves this machine: redacted first, then cut to the level, by what cuts notifications for channels.
import { sha256 } from '../lib/hash.ts';
import type { Event } from '../model/event/event.ts';
import { type Level, LEVELS, type NotificationContent } from '../model/notification/notification.ts';
import { atLevel, redactContent, type Redactor } from '../redaction/index.ts';

/** What it is cut by. */
export interface Cutting {
  readonly level: Level;
  readonly redactor: Redactor;
}

/** The lower of two levels: a hub may ask for less than the settings say, never for more. */
export const lowerLevel = (own: Level, asked: Level): Level =>
  LEVELS[Math.max(LEVELS.indexOf(own), LEVELS.indexOf(asked))] ?? 'title';

/** The content, redacted and at the level. */
export const cutContent = (content: NotificationContent, { level, redactor }: Cutting): NotificationContent =>
  atLevel(redactContent(content, redactor), level);

/** The event, redacted and at the level; its session goes by a name of its own where the client's stays here. */
export function cutEvent(event: Event, cutting: Cutting): Event {
  const { urgency, abnormal, id, sessionId } = event;
  const alone = { title: '', body: '', urgency, abnormal, count: 1, event, events: [id], context: { messages: [] } };
  return { ...cutContent(alone, cutting).event, sessionId: sessionName(sessionId, cutting) };
}

/** What names a session to the hub: at level `title` the same text for the same id, which is not the client's. */
export function sessionName<T extends string | null>(id: T, { level }: Pick<Cutting, 'level'>): T | string {
  return id === null || level !== 'title' ? id : `ses_${sha256(id, 24)}`;
}

// The text of several notifications in one: counts, names, and a bounded list of titles.
import { type Event, URGENCIES, type Urgency } from '../model/event.ts';
import type { NotificationContent } from '../model/notification.ts';
import { sanitizeLine } from '../lib/text.ts';

/** One of several: its event, and the title it had alone (redacted). */
export type Member = Pick<NotificationContent, 'event' | 'title'>;

/** Longest title and name, in graphemes; names in a title, lines in a body. */
const LIMITS = { title: 150, name: 30, names: 3, lines: 10 } as const;

/** "api, web, infra", or "api, web, infra, +4 more". */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, LIMITS.names).map((name) => sanitizeLine(name, LIMITS.name));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`+${more} more`] : [])].join(', ');
}

/** One line each, the latest ones where there are too many. */
export function titleLines(titles: readonly string[], limit: number = LIMITS.lines): readonly string[] {
  const shown = titles.slice(-limit).map((title) => `- ${sanitizeLine(title, LIMITS.title)}`);
  const more = titles.length - shown.length;
  return more > 0 ? [`+${more} earlier`, ...shown] : shown;
}

/** What the members have of one field, without repeats. */
export function distinct(members: readonly Member[], of: (event: Event) => string | null): readonly string[] {
  return [...new Set(members.map(({ event }) => of(event)).filter((value) => value !== null))];
}

/** The most severe. */
export function mostUrgent(members: readonly Member[]): Urgency {
  return URGENCIES[Math.max(...members.map(({ event }) => URGENCIES.indexOf(event.urgency)))] ?? 'normal';
}

/** One content of several, oldest first; null of none. */
export function combine(members: readonly Member[], title: string, body: string): NotificationContent | null {
  const [first] = members;
  if (first === undefined) return null;
  return {
    title: sanitizeLine(title, LIMITS.title),
    body,
    urgency: mostUrgent(members),
    abnormal: members.some(({ event }) => event.abnormal),
    count: members.length,
    event: first.event,
    events: members.map(({ event }) => event.id),
    context: { messages: [] },
  };
}

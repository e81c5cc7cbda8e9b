// The text of several notifications in one: counts, names, and a bounded list of titles.
import { type Event, URGENCIES, type Urgency } from '../model/event/event.ts';
import type { Member, MemberEvent, NotificationContent } from '../model/notification/notification.ts';
import { sanitizeLine } from '../lib/text/text.ts';

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
export function distinct(members: readonly Member[], of: (event: MemberEvent) => string | null): readonly string[] {
  return [...new Set(members.map(({ event }) => of(event)).filter((value) => value !== null))];
}

/** The most severe. */
export function mostUrgent(members: readonly Member[]): Urgency {
  return URGENCIES[Math.max(...members.map(({ event }) => URGENCIES.indexOf(event.urgency)))] ?? 'normal';
}

/** What is kept of an event. */
export function memberEvent(event: MemberEvent): MemberEvent {
  const { id, kind, detail, urgency, abnormal, agent, host, user, sessionId, project, branch, cwd, at } = event;
  return { id, kind, detail, urgency, abnormal, agent, host, user, sessionId, project, branch, cwd, at };
}

/** One content of several, oldest first; null of none. `first`: the event of the first. */
export function combine(
  members: readonly Member[],
  first: Event,
  title: string,
  body: string,
): NotificationContent | null {
  if (members.length === 0) return null;
  return {
    title: sanitizeLine(title, LIMITS.title),
    body,
    urgency: mostUrgent(members),
    abnormal: members.some(({ event }) => event.abnormal),
    count: members.length,
    event: first,
    events: members.map(({ event }) => event.id),
    members: members.map(({ event, title: own }) => ({ event: memberEvent(event), title: own })),
    context: { messages: [] },
  };
}

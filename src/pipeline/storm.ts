// Storms: many notifications of one session in a minute become one with a count, on channels that people look at.
import type { Event } from '../model/event.ts';
import { sessionKeyText } from '../model/ids.ts';
import type { NotificationContent } from '../model/notification.ts';
import { combine, distinct, type Member, titleLines } from './combined-text.ts';
import { groupDue } from './group.ts';

/** So many of one session on one channel within this time, ms, are sent each; those beyond become one. */
export const STORM = { limit: 20, windowMs: 60_000 } as const;

/** How that one is sent and updated. */
const STORM_GROUP = { wait: 2_000, every: 15_000 } as const;

/** When a storm's notification goes out as it is now; as `groupDue`. */
export const stormDue = (last: Parameters<typeof groupDue>[1], now: number): number => groupDue(STORM_GROUP, last, now);

/**
 * Whether an event is one too many on a channel that people look at. `planned`: Unix ms of the session's notifications there, those that
 * became part of a storm too. What is urgent never is.
 */
export function isStorm(event: Event, planned: readonly number[], now: number): boolean {
  if (event.urgency === 'urgent' || event.sessionId === null) return false;
  return planned.filter((at) => at > now - STORM.windowMs && at <= now).length >= STORM.limit;
}

/** The thread key of a session's storm. */
export function stormKeyOf({ host, user, agent, sessionId }: Event): string | null {
  return sessionId === null ? null : `storm:${sessionKeyText({ host, user, agent, sessionId })}`;
}

/** "payments: 24 more notifications from Claude". `who`: the agent as shown to people. Null of none. */
export function stormContent(members: readonly Member[], who: string): NotificationContent | null {
  const [project] = distinct(members, (event) => event.project);
  const what = members.length === 1 ? '1 more notification' : `${members.length} more notifications`;
  const title = `${project === undefined ? '' : `${project}: `}${what} from ${who}`;
  return combine(members, title, titleLines(members.map((member) => member.title)).join('\n'));
}

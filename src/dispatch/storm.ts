// Storms: many notifications of one session in a minute become one with a count, on channels that people look at.
import { type Event, isPrompt } from '../model/event/event.ts';
import { STORM_HOLD } from '../model/delivery/holds.ts';
import { threadKeyOf } from '../model/ids.ts';
import type { Member, NotificationContent } from '../model/notification/notification.ts';
import { combine, distinct, titleLines } from './combined-text.ts';

/** So many of one session on one channel within this time, ms, are sent each; those beyond become one. */
export const STORM = { limit: 20, windowMs: 60_000 } as const;

/** How that one is sent and updated, ms. */
export const STORM_GROUP = { wait: 2_000, every: 15_000 } as const;

/**
 * Whether an event is one too many on a channel that people look at. `planned`: Unix ms of the session's notifications there, those that
 * became part of a storm too. What is urgent never is, nor a question: somebody has to see it whole and can answer it.
 */
export function isStorm(event: Event, planned: readonly number[], now: number): boolean {
  if (event.urgency === 'urgent' || event.sessionId === null || isPrompt(event)) return false;
  return planned.filter((at) => at > now - STORM.windowMs && at <= now).length >= STORM.limit;
}

/** What holds the sends of a session's storm on a channel; of no session there is none. */
export function stormHoldOf(event: Event, channel: string): string {
  return `${STORM_HOLD}${channel}:${threadKeyOf(event)}`;
}

/** "payments: 24 more notifications from Claude". `first`: the event of the first; `who`: the agent as shown to people. Null of none. */
export function stormContent(members: readonly Member[], first: Event, who: string): NotificationContent | null {
  const [project] = distinct(members, (event) => event.project);
  const what = members.length === 1 ? '1 more notification' : `${members.length} more notifications`;
  const title = `${project === undefined ? '' : `${project}: `}${what} from ${who}`;
  return combine(members, first, title, titleLines(members.map((member) => member.title)).join('\n'));
}

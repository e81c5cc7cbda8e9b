// The title that people saw of an event, or would have seen.
import { agentTitle } from '../agents/index.ts';
import type { Event } from '../model/event/event.ts';
import { reasonsOf, titleOf } from '../pipeline/index.ts';

/** One line, without what the client said. */
export function eventTitle(event: Event): string {
  return titleOf(event, agentTitle(event.agent));
}

/** What the client said or wants to run, where the title does not say it. */
export function eventWords(event: Event): string {
  return reasonsOf(event, eventTitle(event)).join(' · ');
}

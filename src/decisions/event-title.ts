// The title that people saw of an event, or would have seen.
import { agentByName } from '../agents/index.ts';
import type { Event } from '../model/event/event.ts';
import { reasonsOf, titleOf } from '../pipeline/index.ts';

/** The agent as shown to people. */
export const displayName = (agent: string): string =>
  agentByName(agent)?.title ?? agent.charAt(0).toUpperCase() + agent.slice(1);

/** One line, without what the client said. */
export function eventTitle(event: Event): string {
  return titleOf(event, displayName(event.agent));
}

/** What the client said or wants to run, where the title does not say it. */
export function eventWords(event: Event): string {
  return reasonsOf(event, eventTitle(event)).join(' · ');
}

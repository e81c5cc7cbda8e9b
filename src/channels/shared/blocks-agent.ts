// Whether an agent stands still until somebody deals with the message: phones make a sound then, whatever its urgency says of the desk.
import type { NotificationContent } from '../../model/notification/notification.ts';

/** One of its events is an agent that waits; not what has low urgency, which asks nothing of anybody. */
export function blocksAgent({ urgency, event, members = [] }: NotificationContent): boolean {
  if (urgency === 'low') return false;
  const events = members.length > 0 ? members.map((member) => member.event) : [event];
  return events.some(({ kind, urgency: own }) => kind === 'agent.waiting' && own !== 'low');
}

// Events with a preset text: raised by hand, by a test, or by Belfry about itself.
import type { Event } from './event.ts';

/** An event of agent `belfry`; what is not given is not known. */
export function internalEvent(
  given: Pick<Event, 'id' | 'kind' | 'at' | 'words'> & Partial<Omit<Event, 'agent'>>,
): Event {
  return {
    agent: 'belfry',
    hookEvent: null,
    sessionId: null,
    cwd: null,
    project: null,
    branch: null,
    message: null,
    reason: null,
    abnormal: false,
    detail: null,
    urgency: 'normal',
    extra: {},
    ...given,
  };
}

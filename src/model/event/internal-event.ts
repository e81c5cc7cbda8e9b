// Events with a preset text: raised by hand, by a test, or by Belfry about itself.
import type { Event } from './event.ts';
import { HERE } from '../session/whereabouts.ts';

/** Title of what `belfry test` sends: who runs it sees the result, so a failed one needs no care afterwards. */
export const TEST_TITLE = 'belfry test';

/** An event of agent `belfry`, of this machine; what is not given is not known. */
export function internalEvent(
  given: Pick<Event, 'id' | 'kind' | 'at' | 'presetText'> & Partial<Omit<Event, 'agent'>>,
): Event {
  return {
    agent: 'belfry',
    ...HERE,
    place: null,
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
    attributes: {},
    ...given,
  };
}

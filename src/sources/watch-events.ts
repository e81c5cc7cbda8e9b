// The events of watches: what they saw, and that one of them fails.
import { sha256 } from '../lib/hash.ts';
import type { Event } from '../model/event/event.ts';
import { HERE } from '../model/session/whereabouts.ts';
import type { Observation } from '../model/watch/watch.ts';

/** The agent of what watches of the organization's service see. */
export const SERVICE = 'service';

/** The same occurrence gives the same id, so that seeing it twice is one event. */
function idOf(watch: string, occurrence: string): string {
  return `watch-${sha256(`${watch}\n${occurrence}`, 32)}`;
}

/** What a watch saw. */
export function observedEvent(watch: string, observation: Observation): Event {
  const { occurrence, title, body, at, ...rest } = observation;
  return { id: idOf(watch, occurrence), ...rest, ...NOBODY, at, presetText: { title, body }, message: body };
}

/** The watch itself fails. */
export function failingEvent(watch: string, why: string, now: number): Event {
  const body = `${why}\nIt is retried, less and less often. Run \`belfry doctor\`.`;
  return {
    id: idOf(watch, `failing since ${now}`),
    kind: 'watch.failing',
    ...NOBODY,
    sessionId: null,
    project: null,
    detail: watch,
    abnormal: true,
    urgency: 'normal',
    at: now,
    message: why,
    presetText: { title: `The watch ${watch} is failing`, body },
    attributes: { watch },
  };
}

const NOBODY = {
  agent: SERVICE,
  ...HERE,
  place: null,
  hookEvent: null,
  cwd: null,
  branch: null,
  reason: null,
} as const;

// Stage 2: a duplicate is the same occurrence, reported again.
import type { Incoming } from '../model/incoming.ts';
import type { Stage } from './matter.ts';
import { say } from './matter.ts';

/** Two identical payloads received within this time (ms) are one. */
export const REPEAT_WINDOW = 1_500;

/** What makes an input the same as another, and since when (Unix ms) to look for one; null: it is its own. */
export function identity(incoming: Incoming): { readonly fingerprint: string; readonly since: number } | null {
  if (incoming.type === 'event') {
    if (incoming.occurrence === null) return null;
    return { fingerprint: `occurrence|${incoming.event.kind}|${incoming.occurrence}`, since: 0 };
  }
  const { parsed, digest, receivedAt } = incoming;
  if (parsed.occurrence !== null)
    return {
      fingerprint: `occurrence|${parsed.sessionId ?? ''}|${parsed.hookEvent}|${parsed.occurrence}`,
      since: 0,
    };
  return { fingerprint: `payload|${parsed.hookEvent}|${digest}`, since: receivedAt - REPEAT_WINDOW };
}

const seconds = (ms: number): string => `${(Math.abs(ms) / 1_000).toFixed(1)} s`;

/** Stops repeats. A repeat carries no fingerprint: only what was told first is the measure. */
export const dedupe: Stage = (matter, { facts }) => {
  const { incoming, event } = matter;
  const own = identity(incoming);
  const { same } = facts;
  if (own !== null && same !== null && same.id !== event.id) {
    const apart = event.at - same.at;
    if (own.since === 0)
      return say(matter, 'dedupe', 'stop', `the same occurrence as event ${same.id}, reported again`);
    if (Math.abs(apart) <= REPEAT_WINDOW)
      return say(matter, 'dedupe', 'stop', `the same payload as event ${same.id}, ${seconds(apart)} apart`);
  }
  const twin = facts.recent.find(
    (other) =>
      incoming.type === 'hook' &&
      other.agent !== event.agent &&
      other.sessionId !== null &&
      other.sessionId === event.sessionId &&
      other.kind === event.kind &&
      other.kind !== 'agent.other' &&
      other.reason === event.reason &&
      Math.abs(event.at - other.at) <= REPEAT_WINDOW,
  );
  if (twin)
    return say(
      matter,
      'dedupe',
      'stop',
      `the same as event ${twin.id}, which ${twin.agent} reported for the same session`,
    );
  return say({ ...matter, fingerprint: own?.fingerprint ?? null }, 'dedupe', 'pass', 'not seen before');
};

// InputStage 2: a duplicate is the same occurrence, reported again.
import type { Event } from '../../model/event/event.ts';
import type { Incoming, IncomingHook } from '../../model/event/incoming.ts';
import type { Facts, InputState, InputStage } from '../pipeline-state.ts';
import { addVerdict } from '../pipeline-state.ts';
import { reach } from '../who-hears/route.ts';
import { suppressNotified } from '../who-hears/notified-channels.ts';

/** Two identical payloads received within this time (ms) are one. */
export const DEDUPE_WINDOW_MS = 1_500;

/** Whether other agents may have reported the same. */
export const mayBeReportedTwice = (incoming: Incoming): incoming is IncomingHook =>
  incoming.type === 'hook' && incoming.parsed.sessionId !== null && incoming.parsed.kind !== 'agent.other';

/** What makes an input the same as another, and since when (Unix ms) to look for one; null: it is its own. */
export function fingerprintOf(incoming: Incoming): { readonly fingerprint: string; readonly since: number } | null {
  if (incoming.type === 'event') {
    if (incoming.occurrence === null) return null;
    return { fingerprint: `occurrence|${incoming.event.kind}|${incoming.occurrence}`, since: 0 };
  }
  const { parsed, digest, receivedAt, source, host } = incoming;
  // What comes from elsewhere repeats nothing of this host, or it could keep back what happens here.
  const where = source === 'http' ? `${host}|` : '';
  if (parsed.occurrence !== null)
    return {
      fingerprint: `${where}occurrence|${parsed.sessionId ?? ''}|${parsed.hookEvent}|${parsed.occurrence}`,
      since: 0,
    };
  return { fingerprint: `${where}payload|${parsed.hookEvent}|${digest}`, since: receivedAt - DEDUPE_WINDOW_MS };
}

const seconds = (ms: number): string => `${(Math.abs(ms) / 1_000).toFixed(1)} s`;

/** What this one repeats, and the note for the verdict. */
function repeated(
  { incoming, event }: InputState,
  { same, reportsByOthers }: Facts,
): { of: Event; note: string } | null {
  const own = fingerprintOf(incoming);
  if (own !== null && same !== null && same.id !== event.id) {
    const apart = event.at - same.at;
    if (own.since === 0) return { of: same, note: `same occurrence as event ${same.id}` };
    if (Math.abs(apart) <= DEDUPE_WINDOW_MS)
      return { of: same, note: `same payload as event ${same.id}, ${seconds(apart)} apart` };
  }
  const twin = reportsByOthers.find(
    (other) => other.reason === event.reason && Math.abs(event.at - other.at) <= DEDUPE_WINDOW_MS,
  );
  if (twin === undefined) return null;
  const { id, agent } = twin;
  return { of: twin, note: `already reported by ${agent} as event ${id}` };
}

/** Stops repeats. A repeat carries no fingerprint: the window counts from the first one. */
export const dedupe: InputStage = (state, context) => {
  const fresh = { ...state, fingerprint: fingerprintOf(state.incoming)?.fingerprint ?? null };
  const repeat = repeated(state, context.facts);
  if (repeat === null) return addVerdict(fresh, 'dedupe', 'pass', 'not a duplicate');
  const { of, note } = repeat;
  const reached = reach(state.event, context.config, context.facts.home);
  if (of.agent === state.event.agent || reached.length === 0) return addVerdict(state, 'dedupe', 'stop', note);
  // Routes may distinguish agents: what notified nobody under the other's name may notify under this one.
  const earlier = { channels: context.facts.notified.get(of.id)?.channels ?? [], by: [of.id] };
  const suppressed = suppressNotified(state, context, earlier, 'dedupe', note);
  return suppressed ?? addVerdict(fresh, 'dedupe', 'pass', `${note}, which was sent to nobody`);
};

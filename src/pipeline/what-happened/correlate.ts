// InputStages 2 and 4: a report again, and several inputs that are one occurrence for a person, make one notification. An abnormal end is never merged into a normal one.
import { type Event, URGENCIES } from '../../model/event/event.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { asFinishMet, type Mark, memoryOf, type SessionMemory, withMemory } from '../session/session-memory.ts';
import { addVerdict, type Facts, type InputStage, type InputState, type StageContext } from '../pipeline-state.ts';
import { notifiedOf, suppressNotified } from '../who-hears/notified-channels.ts';
import { type Incoming, type IncomingHook, isElsewhere } from '../../model/event/incoming.ts';
import { reach } from '../who-hears/route.ts';

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
  const where = isElsewhere(source) ? `${host}|` : '';
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

/** Ms within which each is the same occurrence. */
const WINDOWS_MS = {
  end: 120_000,
  idle: 15_000,
  moment: 30_000,
  overtaken: 5_000,
  failure: 30_000,
  interrupted: 15_000,
  finished: 1_000,
  compacted: 1_000,
} as const;

interface Correlation {
  readonly note: string;
  /** What was reported before; undefined: there is nothing to notify anybody of. */
  readonly of?: Mark;
  /** The session's row, when the suppressed input must not have changed it. */
  readonly record: SessionRecord | null;
}

const isNear = (mark: { readonly at: number } | undefined, event: Event, within: number): boolean =>
  mark !== undefined && Math.abs(event.at - mark.at) <= within;

const severity = (of: Pick<Event, 'urgency' | 'abnormal'>): number =>
  URGENCIES.indexOf(of.urgency) + (of.abnormal ? URGENCIES.length : 0);

function correlateEnd(event: Event, memory: SessionMemory, before: SessionRecord): Correlation | null {
  if (event.detail === 'left') return { note: 'its client exited normally: no notification needed', record: null };
  if (!memory.end || !isNear(memory.end, event, WINDOWS_MS.end)) return null;
  if (severity(event) > severity(memory.end)) return null; // a more severe end is reported
  return { note: 'the end of this session was already reported', of: memory.end, record: before };
}

function correlateWaiting(
  state: InputState,
  memory: SessionMemory,
  before: SessionRecord,
  facts: Facts,
): Correlation | null {
  const { event, incoming } = state;
  if (event.detail === 'idle') {
    if (isNear(memory.held, event, WINDOWS_MS.idle))
      return { note: 'idle right after its turn, background work is running: the finish is on hold', record: before };
    if (memory.finished && isNear(memory.finished, event, WINDOWS_MS.idle))
      return { note: 'idle right after it finished: already notified', of: memory.finished, record: before };
  }
  if (incoming.type !== 'hook') return null;
  if (incoming.parsed.speculative)
    return {
      note: 'also raised for calls that are already allowed; a real question has its own event',
      record: before,
    };
  const { isFollowUp, correlationKey: key } = incoming.parsed;
  const moments = memory.openRequests ?? [];
  // The follow-up may come first; what was answered by then was another request.
  const isOther = (m: (typeof moments)[number]): boolean =>
    isFollowUp
      ? m.isFollowUp === undefined && isNear(m, event, WINDOWS_MS.moment)
      : m.isFollowUp === true && isNear(m, event, WINDOWS_MS.overtaken) && !facts.notified.get(m.id)?.resolved;
  const first = moments.find((m) => m.key === key && isOther(m));
  if (!first) return null;
  const record = withMemory(before, { openRequests: moments.filter((m) => m !== first) });
  if (facts.notified.get(first.id)?.resolved)
    return { note: `its ${first.event} was answered already: no notification needed`, record };
  return { note: `already notified by its ${first.event}`, of: first, record };
}

function correlateFinish(event: Event, memory: SessionMemory, before: SessionRecord, facts: Facts): Correlation | null {
  // Whole: a channel that did not get the failure must not get the finish.
  const isKnown = memory.limit !== undefined || notifiedOf(memory.failure, facts).length > 0;
  if (isNear(memory.failure, event, WINDOWS_MS.failure) && isKnown)
    return { note: 'you were already notified that this turn failed', record: before };
  if (isNear(memoryOf(asFinishMet(before, event)).interrupted, event, WINDOWS_MS.interrupted))
    return { note: 'you interrupted this turn', record: null };
  const { finished } = memory;
  if (
    finished !== undefined &&
    finished.past !== true &&
    before.promptedAt !== null &&
    isNear(finished, event, WINDOWS_MS.finished)
  )
    return { note: 'you were already notified that this turn finished', of: finished, record: before };
  if (isNear(memory.closing, event, WINDOWS_MS.interrupted))
    return { note: 'its client was being closed: no finish', record: before };
  if (isNear(memory.compacted, event, WINDOWS_MS.compacted))
    return { note: 'its history was compacted, and nothing else was done', record: null };
  return null;
}

/** Of a failure that a hook and the transcript both report; what came since its turn went on is another. */
function correlateFailure(event: Event, memory: SessionMemory, before: SessionRecord): Correlation | null {
  const isOther = ['vanished', 'stalled', 'retrying', 'held'].includes(event.detail ?? '');
  if (isOther || !memory.failure || !isNear(memory.failure, event, WINDOWS_MS.failure)) return null;
  return { note: 'you were already notified that this turn failed', of: memory.failure, record: before };
}

/** What an input only repeats; null: nothing. */
function relatedTo(state: InputState, memory: SessionMemory, before: SessionRecord, facts: Facts): Correlation | null {
  const { event } = state;
  switch (event.kind) {
    case 'session.ended':
      return correlateEnd(event, memory, before);
    case 'session.failed':
      return correlateFailure(event, memory, before);
    case 'agent.waiting':
      return correlateWaiting(state, memory, before, facts);
    case 'agent.finished':
      return correlateFinish(event, memory, before, facts);
    default:
      return null;
  }
}

/** People hear of an account's limit once, whichever sessions it stops; records keep each. */
function reportOnce(state: InputState, context: StageContext): InputState {
  const profiles = [...context.facts.profiles];
  const channels = profiles.flatMap(([channel, { audience }]) => (audience === 'people' ? [channel] : []));
  const note = "its account's limit is reported once, for all sessions (limit.reached)";
  const stopped = suppressNotified(state, context, { channels, by: [] }, 'correlate', note);
  return stopped ?? addVerdict(state, 'correlate', 'pass', 'no related notification');
}

/** Stops what the person was notified of in another form, on the channels that got it; the session's row then stays as it was. */
export const correlate: InputStage = (state, context) => {
  const { event } = state;
  const { facts } = context;
  const before = facts.record;
  const correlation = before === null ? null : relatedTo(state, memoryOf(before), before, facts);
  const isStop = event.kind === 'session.failed' && event.detail !== 'held';
  if (correlation === null && isStop && memoryOf(state.record).limit !== undefined) return reportOnce(state, context);
  if (correlation === null || before === null || state.record === null)
    return addVerdict(state, 'correlate', 'pass', 'no related notification');
  const record =
    correlation.record === null
      ? state.record
      : { ...correlation.record, lastEvent: Math.max(before.lastEvent, event.at) };
  const same = { ...state, record };
  const { of, note } = correlation;
  if (of === undefined) return addVerdict(same, 'correlate', 'stop', note);
  const earlier = { channels: notifiedOf(of, facts), by: [of.id, ...(of.also ?? [])] };
  const next = suppressNotified(same, context, earlier, 'correlate', note);
  return next ?? addVerdict(state, 'correlate', 'pass', 'the related event was sent to nobody');
};

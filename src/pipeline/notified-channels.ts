// Which channels got what: correlation goes by the channels that were planned, never only by what happened.
import type { Event } from '../model/event.ts';
import { type Mark, memoryOf, withMemory } from './session-memory.ts';
import type { StageContext, Cancel, PipelineState } from './pipeline-state.ts';
import { addVerdict } from './pipeline-state.ts';
import { reach } from './route.ts';

/** Suppresses what these channels got already: whole, or so that only the others get it. Null: nobody got it. */
export function suppressNotified(
  state: PipelineState,
  { facts, config }: StageContext,
  notified: readonly string[],
  stage: string,
  note: string,
): PipelineState | null {
  if (notified.length === 0) return null;
  const rest = reach(state.event, config, facts.home).filter((channel) => !notified.includes(channel));
  if (rest.length === 0) return addVerdict(state, stage, 'stop', note);
  return addVerdict({ ...state, alreadyNotified: notified }, stage, 'change', `${note}, except on ${rest.join(', ')}`);
}

/** An earlier finish of the same turn, left by a hook that continued it: cancelled on the channels that get this one. */
function replaced(event: Event, channels: readonly string[], { facts }: StageContext): readonly Cancel[] {
  const { finished } = memoryOf(facts.record);
  const known = finished !== undefined && finished.id !== event.id && (facts.record?.promptedAt ?? null) !== null;
  return event.kind === 'agent.finished' && known && channels.length > 0 ? [{ eventId: finished.id, channels }] : [];
}

/** Records in the session's row which channels get what happened now. */
export function recordNotified(state: PipelineState, context: StageContext): PipelineState {
  const { event, channels, record } = state;
  if (record === null || channels.length === 0) return state;
  const everyone = [...new Set([...channels, ...state.alreadyNotified])];
  const noted = <M extends Mark>(mark: M): M => (mark.id === event.id ? { ...mark, channels: everyone } : mark);
  const { end, finished, failure, openRequests = [] } = memoryOf(record);
  if (![end, finished, failure, ...openRequests].some((mark) => mark?.id === event.id)) return state;
  const next = withMemory(record, {
    ...(end && { end: noted(end) }),
    ...(finished && { finished: noted(finished) }),
    ...(failure && { failure: noted(failure) }),
    ...(openRequests.length > 0 && { openRequests: openRequests.map(noted) }),
  });
  const finishedSincePrompt = finished?.id === event.id ? finished.at : record.finishedSincePrompt;
  return { ...state, record: { ...next, finishedSincePrompt }, cancel: replaced(event, channels, context) };
}

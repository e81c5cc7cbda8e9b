// Who was told of what: correlation looks at the channels that were planned, never only at what happened.
import type { Event } from '../model/event.ts';
import { type Mark, memoryOf, withMemory } from './session-memory.ts';
import type { StageContext, Cancel, PipelineState } from './pipeline-state.ts';
import { addVerdict } from './pipeline-state.ts';
import { reach } from './route.ts';

/** Folds into what these channels were told already: whole, or so that only the others are told. Null: nobody was told. */
export function foldInto(
  matter: PipelineState,
  { facts, config }: StageContext,
  told: readonly string[],
  stage: string,
  note: string,
): PipelineState | null {
  if (told.length === 0) return null;
  const rest = reach(matter.event, config, facts.home).filter((channel) => !told.includes(channel));
  if (rest.length === 0) return addVerdict(matter, stage, 'stop', note);
  return addVerdict({ ...matter, told }, stage, 'change', `${note}, but not to ${rest.join(', ')}`);
}

/** A finish before this one in the same turn, as a hook that turned it into more work leaves one: not sent any more where this one goes. */
function replaced(event: Event, channels: readonly string[], { facts }: StageContext): readonly Cancel[] {
  const { finished } = memoryOf(facts.record);
  const known = finished !== undefined && finished.id !== event.id && (facts.record?.promptedAt ?? null) !== null;
  return event.kind === 'agent.finished' && known && channels.length > 0 ? [{ eventId: finished.id, channels }] : [];
}

/** Notes in the session's row who is told of what happened now. */
export function noteTold(matter: PipelineState, bench: StageContext): PipelineState {
  const { event, channels, record } = matter;
  if (record === null || channels.length === 0) return matter;
  const everyone = [...new Set([...channels, ...matter.told])];
  const noted = <M extends Mark>(mark: M): M => (mark.id === event.id ? { ...mark, channels: everyone } : mark);
  const { end, finished, failure, moments = [] } = memoryOf(record);
  if (![end, finished, failure, ...moments].some((mark) => mark?.id === event.id)) return matter;
  const next = withMemory(record, {
    ...(end && { end: noted(end) }),
    ...(finished && { finished: noted(finished) }),
    ...(failure && { failure: noted(failure) }),
    ...(moments.length > 0 && { moments: moments.map(noted) }),
  });
  const finishTold = finished?.id === event.id ? finished.at : record.finishTold;
  return { ...matter, record: { ...next, finishTold }, cancel: replaced(event, channels, bench) };
}

// Who was notified of what: correlation goes by what was sent or is planned, never only by what happened.
import type { Event } from '../../model/event/event.ts';
import { isSilentTime } from '../../dispatch/gate.ts';
import { isGroupHold } from '../../model/delivery/holds.ts';
import { notificationIdOf } from '../../model/ids.ts';
import type { PlannedCancel } from '../../model/delivery/delivery.ts';
import { addVerdict, type Facts, type InputState, type StageContext } from '../pipeline-state.ts';
import { reach } from './route.ts';
import { type Mark, memoryOf, withMemory } from '../session/session-memory.ts';

/**
 * What is held back counts as reported to what would be held back as well: they come in the same digest. To what is urgent, and once
 * nothing is muted or quiet any more, it does not.
 */
export function countHeld({ facts, config, now }: StageContext, { urgency }: Event): Facts {
  const { silences } = facts;
  if (urgency === 'urgent' || !isSilentTime({ silences, quiet: config.quiet }, now)) return facts;
  const entries = [...facts.notified].map(
    ([id, one]) => [id, { ...one, channels: [...new Set([...one.channels, ...one.held])] }] as const,
  );
  return { ...facts, notified: new Map(entries) };
}

/** The channels that got what a mark stands for; none where there is no mark. */
export function notifiedOf(mark: Mark | undefined, { notified }: Pick<Facts, 'notified'>): readonly string[] {
  if (mark === undefined) return [];
  const ids = [mark.id, ...(mark.also ?? [])];
  return [...new Set(ids.flatMap((id) => notified.get(id)?.channels ?? []))];
}

/** What was reported before: its events, and the channels that got them. */
export interface Earlier {
  readonly channels: readonly string[];
  readonly by: readonly string[];
}

/** Suppresses what these channels got already: whole, or so that only the others get it. Null: nobody got it. */
export function suppressNotified(
  state: InputState,
  { facts, config }: StageContext,
  earlier: Earlier,
  stage: string,
  note: string,
): InputState | null {
  if (earlier.channels.length === 0) return null;
  const rest = reach(state.event, config, facts.home).filter((channel) => !earlier.channels.includes(channel));
  if (rest.length === 0) return addVerdict(state, stage, 'stop', note);
  return addVerdict({ ...state, alreadyNotified: earlier }, stage, 'change', `${note}, except on ${rest.join(', ')}`);
}

/** An earlier finish of the same turn, left by a hook that continued it: superseded on the channels that get this one. */
function replaced(event: Event, channels: readonly string[], { facts }: StageContext): readonly PlannedCancel[] {
  const { finished } = memoryOf(facts.record);
  const known = finished !== undefined && finished.id !== event.id && (facts.record?.promptedAt ?? null) !== null;
  if (event.kind !== 'agent.finished' || !known) return [];
  return [
    {
      notificationId: notificationIdOf(finished.id),
      because: 'superseded',
      channels,
      note: 'a later finish of the same turn takes its place',
    },
  ];
}

/** Once it is planned: a finish that is sent counts as reported, and what other channels got before counts with it. */
export function recordNotified(state: InputState, context: StageContext): InputState {
  const { event, plan, record } = state;
  if (record === null || plan.length === 0) return state;
  const channels = plan.map(({ channel }) => channel);
  const { by } = state.alreadyNotified;
  const { end, finished, failure, openRequests = [] } = memoryOf(record);
  const isOwn = (mark: Mark | undefined): boolean => mark?.id === event.id;
  if (![end, finished, failure, ...openRequests].some(isOwn)) return state;
  const joined = <M extends Mark>(mark: M): M => (by.length > 0 && isOwn(mark) ? { ...mark, also: by } : mark);
  const next = withMemory(record, {
    ...(end && { end: joined(end) }),
    ...(finished && { finished: joined(finished) }),
    ...(failure && { failure: joined(failure) }),
    ...(openRequests.length > 0 && { openRequests: openRequests.map(joined) }),
  });
  const isSent = plan.some(({ heldBy }) => heldBy === undefined || isGroupHold(heldBy));
  const finishedSincePrompt = isSent && finished && isOwn(finished) ? finished.at : record.finishedSincePrompt;
  const cancel = [...state.cancel, ...replaced(event, channels, context)];
  return { ...state, record: { ...next, finishedSincePrompt }, cancel };
}

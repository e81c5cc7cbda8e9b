// InputStage 5: a finish while background work still runs waits for the last of it, or for the configured time.
import { HOLD } from '../../model/delivery/holds.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import type { BackgroundTask } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { isSubagent, isUnlisted, stillRunning } from './classify.ts';
import { memoryOf, withMemory } from '../session/session-memory.ts';
import type { StageContext, InputState, InputStage } from '../pipeline-state.ts';
import { agentSettings, addVerdict } from '../pipeline-state.ts';

/** Ms that a session is given to resume on its own after its last subagent. */
const SOON = 20_000;

const timerId = (record: SessionRecord): string => `${HOLD}:${sessionKeyText(record)}`;

const sessionOf = ({ host, user, agent, sessionId: session }: SessionRecord) => ({ host, user, agent, session });

/** "Review the project (subagent), npm run dev (shell)". */
export function describeWork(running: readonly BackgroundTask[]): string {
  const shown = running.slice(0, 3).map((work) => (work.label === null ? work.type : `${work.label} (${work.type})`));
  const more = running.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function released(state: InputState, before: SessionRecord | null): InputState {
  if (before === null || state.record === null) return state;
  if (memoryOf(before).held === undefined || memoryOf(state.record).held !== undefined) return state;
  return { ...state, timersToClear: [...state.timersToClear, timerId(before)] };
}

function held(
  state: InputState,
  record: SessionRecord,
  running: readonly BackgroundTask[],
  { facts, config }: StageContext,
): InputState {
  const before = memoryOf(facts.record);
  const { event } = state;
  const since = Math.min(before.held?.at ?? event.at, event.at);
  const timer: Timer = {
    id: timerId(record),
    kind: HOLD,
    due: since + agentSettings(config, event.agent).background_wait,
    data: { ...sessionOf(record), event: event.id },
  };
  const waiting: SessionRecord = withMemory(
    { ...record, state: 'background', running, finishedSincePrompt: facts.record?.finishedSincePrompt ?? null },
    { held: { at: since, id: event.id }, finished: before.finished },
  );
  return addVerdict(
    { ...state, record: waiting, timersToSet: [...state.timersToSet, timer] },
    'hold',
    'stop',
    `on hold until background work ends, or ${clockTime(timer.due)}: ${describeWork(running)}`,
  );
}

/** Ends a hold before its time; not while background work runs again by then. */
const soon = (record: SessionRecord, event: string, due: number): Timer => ({
  id: timerId(record),
  kind: HOLD,
  due,
  data: { ...sessionOf(record), event, soon: true },
});

/** When a hold that was to end before its time has to go on after all, as background work runs again; null: it ends. */
export function heldAgain(timer: Timer, record: SessionRecord, { facts, config }: StageContext): Timer | null {
  const { held: waiting } = memoryOf(record);
  if (timer.data['soon'] !== true || waiting === undefined || runningAtRelease(record, facts).length === 0) return null;
  const due = waiting.at + agentSettings(config, record.agent).background_wait;
  return { ...timer, due, data: { ...sessionOf(record), event: waiting.id } };
}

/** The last subagent has ended: unless the session resumes at once, its finish is released soon. */
function lastEnded(state: InputState, record: SessionRecord, { children }: StageContext['facts']): InputState {
  const { held: waiting } = memoryOf(record);
  const { incoming, event } = state;
  if (waiting === undefined || incoming.type !== 'hook' || incoming.parsed.signal !== 'subagent-finished') return state;
  if (stillRunning(incoming.parsed, { record, children }).length > 0) return state;
  const timer = soon(record, waiting.id, event.at + (incoming.parsed.resumesWithinMs ?? SOON));
  return { ...state, record: { ...record, running: [] }, timersToSet: [...state.timersToSet, timer] };
}

/** A subagent that is a session of its own is over, and was the last that its parent's finish waits for: unless the parent resumes, that is released soon. */
export function wakeParent(state: InputState, { facts }: StageContext): InputState {
  const { waitingParent: parent } = facts;
  const { held: waiting } = memoryOf(parent);
  if (parent === null || waiting === undefined) return state;
  return { ...state, timersToSet: [...state.timersToSet, soon(parent, waiting.id, state.event.at + SOON)] };
}

/** What of the work that a held finish waited for still runs: subagents by what is known of them now, all else as the client listed it. */
export function runningAtRelease(
  record: SessionRecord,
  { children }: Pick<StageContext['facts'], 'children'>,
): readonly BackgroundTask[] {
  const known = new Set([...record.subagents, ...children.map(({ sessionId }) => sessionId)]);
  return record.running.filter((task) => !isUnlisted(task) || known.has(task.id ?? ''));
}

/** The client says that it waits for the user, whatever still runs. */
const isIdle = ({ active, event, incoming }: InputState): boolean =>
  active && event.detail === 'idle' && incoming.type === 'hook' && incoming.parsed.signal === 'waiting';

/** A finish on hold whose client is idle is sent at once, instead of the idle notice. */
function releasedNow(state: InputState, record: SessionRecord): InputState {
  const data = { ...sessionOf(record), event: memoryOf(record).held?.id };
  const timer: Timer = { id: timerId(record), kind: HOLD, due: state.event.at, data };
  const next = { ...state, timersToSet: [...state.timersToSet, timer] };
  return addVerdict(next, 'hold', 'stop', 'idle although background work is running: the finish on hold is sent now');
}

/** Holds a finish while work still runs; clears an earlier hold that this input made moot. */
export const hold: InputStage = (state, context) => {
  const { incoming, event, record } = state;
  if (state.active && incoming.type === 'hook' && event.kind === 'agent.finished' && record !== null) {
    const running = stillRunning(incoming.parsed, context.facts);
    const own = !isSubagent(incoming.parsed, context.facts.record);
    if (own && running.length > 0 && incoming.parsed.signal === 'finished')
      return held(state, record, running, context);
  }
  if (record !== null && memoryOf(record).held !== undefined) {
    if (isIdle(state)) return releasedNow(state, record);
    const next = lastEnded(state, record, context.facts);
    return next === state
      ? addVerdict(next, 'hold', 'pass', 'a finish is on hold')
      : addVerdict(next, 'hold', 'change', 'its background work ended: sent shortly');
  }
  const next = released(state, context.facts.record);
  return next === state
    ? addVerdict(next, 'hold', 'pass', 'no background work')
    : addVerdict(next, 'hold', 'change', 'an earlier finish on hold is obsolete');
};

/** A held finish as it is released: urgent enough to reach people, and a plain finish when nothing runs any more. */
export function finalizeHeld(event: Event, running: readonly BackgroundTask[]): Event {
  const { running: _before, ...attributes } = event.attributes;
  if (running.length === 0) return { ...event, detail: null, urgency: 'normal', attributes };
  return { ...event, detail: 'background', urgency: 'normal', attributes: { ...attributes, running } };
}

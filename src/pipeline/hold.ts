// Stage 5: a finish while background work still runs waits for the last of it, or for the configured time.
import { clockTime } from '../model/clock-time.ts';
import type { BackgroundTask } from '../model/agent.ts';
import type { Event } from '../model/event.ts';
import type { SessionRecord } from '../model/session.ts';
import type { Timer } from '../model/verdict.ts';
import { isSubagent, stillRunning } from './assess.ts';
import { marksOf, withMarks } from './marks.ts';
import type { Bench, Matter, Stage } from './matter.ts';
import { agentSettings, say } from './matter.ts';

/** Kind of the timers that end a hold. */
export const HOLD = 'hold';

/** Ms that a session is given to go on by itself after its last subagent. */
const SOON = 20_000;

const timerId = (record: SessionRecord): string => `${HOLD}:${record.agent}:${record.sessionId}`;

/** "Review the project (subagent), npm run dev (shell)". */
export function named(running: readonly BackgroundTask[]): string {
  const shown = running.slice(0, 3).map((work) => (work.label === null ? work.type : `${work.label} (${work.type})`));
  const more = running.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function released(matter: Matter, before: SessionRecord | null): Matter {
  if (before === null || matter.record === null) return matter;
  if (marksOf(before).held === undefined || marksOf(matter.record).held !== undefined) return matter;
  return { ...matter, clear: [...matter.clear, timerId(before)] };
}

function held(
  matter: Matter,
  record: SessionRecord,
  running: readonly BackgroundTask[],
  { facts, config }: Bench,
): Matter {
  const before = marksOf(facts.record);
  const { event } = matter;
  const since = Math.min(before.held?.at ?? event.at, event.at);
  const timer: Timer = {
    id: timerId(record),
    kind: HOLD,
    due: since + agentSettings(config, event.agent).background_wait,
    data: { agent: record.agent, session: record.sessionId, event: event.id },
  };
  const waiting: SessionRecord = withMarks(
    { ...record, state: 'background', running, finishTold: facts.record?.finishTold ?? null },
    { held: { at: since, id: event.id }, finished: before.finished },
  );
  return say(
    { ...matter, record: waiting, set: [...matter.set, timer] },
    'hold',
    'stop',
    `held until the last of it ends, or ${clockTime(timer.due)}: ${named(running)}`,
  );
}

/** The last subagent has ended: unless the session goes on at once, its finish is told soon. */
function lastEnded(matter: Matter, record: SessionRecord): Matter {
  const { held: waiting } = marksOf(record);
  const { incoming, event } = matter;
  if (waiting === undefined || incoming.type !== 'hook' || incoming.parsed.signal !== 'subagent-finished')
    return matter;
  if (stillRunning(incoming.parsed, record).length > 0) return matter;
  const data = { agent: record.agent, session: record.sessionId, event: waiting.id };
  const timer: Timer = { id: timerId(record), kind: HOLD, due: event.at + SOON, data };
  return { ...matter, record: { ...record, running: [] }, set: [...matter.set, timer] };
}

/** Holds a finish with work still running; lets go of an earlier hold that this input made moot. */
export const hold: Stage = (matter, bench) => {
  const { incoming, event, record } = matter;
  if (matter.going && incoming.type === 'hook' && event.kind === 'agent.finished' && record !== null) {
    const running = stillRunning(incoming.parsed, bench.facts.record);
    const own = !isSubagent(incoming.parsed, bench.facts.record);
    if (own && running.length > 0 && incoming.parsed.signal === 'finished') return held(matter, record, running, bench);
  }
  if (record !== null && marksOf(record).held !== undefined) {
    const soon = lastEnded(matter, record);
    return say(soon, 'hold', 'pass', soon === matter ? 'a finish is held' : 'the last of its work ended: told soon');
  }
  const next = released(matter, bench.facts.record);
  return next === matter
    ? say(next, 'hold', 'pass', 'nothing to wait for')
    : say(next, 'hold', 'pass', 'a held finish is moot now');
};

/** A held finish as it is told in the end: loud enough to reach people, and as plainly finished when nothing runs any more. */
export function heldAsTold(event: Event, running: readonly BackgroundTask[]): Event {
  const { running: _before, ...extra } = event.extra;
  if (running.length === 0) return { ...event, detail: null, urgency: 'normal', extra };
  return { ...event, detail: 'background', urgency: 'normal', extra: { ...extra, running } };
}

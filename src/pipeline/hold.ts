// Stage 5: a finish while background work still runs waits for the last of it, or for the configured time.
import type { RunningWork } from '../model/agent.ts';
import type { Event } from '../model/event.ts';
import type { SessionRecord } from '../model/session.ts';
import type { Timer } from '../model/stage.ts';
import { isSubagent, stillRunning } from './assess.ts';
import { marksOf, withMarks } from './marks.ts';
import type { Bench, Matter, Stage } from './matter.ts';
import { agentSettings, say } from './matter.ts';

/** Kind of the timers that end a hold. */
export const HOLD = 'hold';

const timerId = (record: SessionRecord): string => `${HOLD}:${record.agent}:${record.sessionId}`;

/** "Review the project (subagent), npm run dev (shell)". */
export function named(running: readonly RunningWork[]): string {
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
  running: readonly RunningWork[],
  { facts, config }: Bench,
): Matter {
  const before = marksOf(facts.record);
  const { event } = matter;
  const since = before.held?.at ?? event.at;
  const timer: Timer = {
    id: timerId(record),
    kind: HOLD,
    due: since + agentSettings(config, event.agent).background_wait,
    data: { agent: record.agent, session: record.sessionId, event: event.id },
  };
  const waiting: SessionRecord = withMarks(
    { ...record, state: 'background', running, finishTold: facts.record?.finishTold ?? null },
    { held: { at: since, id: event.id }, finish: before.finish },
  );
  return say(
    { ...matter, record: waiting, set: [...matter.set, timer] },
    'hold',
    'stop',
    `held until the last of it ends, or ${new Date(timer.due).toISOString()}: ${named(running)}`,
  );
}

/** Holds a finish with work still running; lets go of an earlier hold that this input made moot. */
export const hold: Stage = (matter, bench) => {
  const { incoming, event, record } = matter;
  if (matter.going && incoming.type === 'hook' && event.kind === 'agent.finished' && record !== null) {
    const running = stillRunning(incoming.parsed, bench.facts.record);
    const own = !isSubagent(incoming.parsed, bench.facts.record);
    if (own && running.length > 0 && incoming.parsed.signal === 'finished') return held(matter, record, running, bench);
  }
  const next = released(matter, bench.facts.record);
  return next === matter
    ? say(next, 'hold', 'pass', 'nothing to wait for')
    : say(next, 'hold', 'pass', 'a held finish is moot now');
};

/** A held finish whose wait is over, as it is told: loud enough to reach people. */
export function overdue(event: Event): Event {
  return { ...event, detail: 'background', urgency: 'normal' };
}

// How each signal changes a session's row.
import type { ParsedHook, SessionSignal } from '../model/agent.ts';
import type { Event } from '../model/event.ts';
import type { SessionRecord, SessionState } from '../model/session.ts';
import { type Mark, memoryOf, withMemory } from './session-memory.ts';
import { plain } from './text.ts';

/** Requests of attention remembered per session. */
const MOMENTS = 20;
/** Subagents remembered per session. */
const SUBAGENTS = 100;

/** What of an input the steps look at. */
export type Said = Pick<ParsedHook, 'prompt' | 'correlationKey' | 'isFollowUp' | 'subagent'>;

/** One signal: the row after it. `at`: Unix ms when the hook began. */
export type Step = (record: SessionRecord, at: number, event: Event, said: Said) => SessionRecord;

function into(record: SessionRecord, state: SessionState, at: number): SessionRecord {
  const since = record.state === state ? record.since : at;
  return { ...record, state, since, waitingFor: state === 'waiting' ? record.waitingFor : null };
}

function subagents(record: SessionRecord, said: Said, begun: boolean): readonly string[] {
  const id = said.subagent?.id ?? said.subagent?.name ?? 'subagent';
  const others = record.subagents.filter((known) => known !== id);
  if (begun) return [...others, id].slice(-SUBAGENTS);
  return others.length < record.subagents.length ? others : record.subagents.slice(1);
}

/** Who is told is known at the end of the way: see told.ts. */
const untold = (event: Event): Mark => ({ at: event.at, id: event.id, channels: [] });

/** In the middle of something: a start that comes now is no beginning. */
const BUSY: ReadonlySet<SessionState> = new Set<SessionState>(['working', 'waiting', 'background']);

const CALM = {
  end: undefined,
  failure: undefined,
  interrupted: undefined,
  moments: undefined,
  held: undefined,
} as const;

/** One entry a signal. */
export const STEPS: Readonly<Record<SessionSignal, Step>> = {
  started: (record, at) => {
    const started = BUSY.has(record.state) ? memoryOf(record).started : { at };
    const { finished } = memoryOf(record);
    const past = finished && { ...finished, past: true };
    return withMemory(
      { ...into(record, 'started', at), subagents: [], running: [] },
      { ...CALM, started, finished: past },
    );
  },

  prompted: (record, at, _event, said) => {
    const working = { ...into(record, 'working', at), since: at, turnStarted: at, promptedAt: at };
    const request = said.prompt === null ? undefined : plain(said.prompt, 300);
    return withMemory(
      { ...working, finishTold: null, subagents: [], running: [] },
      {
        ...{ ...CALM, started: undefined, finished: undefined },
        request,
      },
    );
  },

  activity: (record, at) =>
    withMemory(
      ['waiting', 'started', 'unknown', 'failed'].includes(record.state) ? into(record, 'working', at) : record,
      {
        failure: undefined,
      },
    ),

  waiting: (record, at, event, said) => {
    const moment =
      said.correlationKey === null || said.isFollowUp
        ? []
        : [{ key: said.correlationKey, event: event.hookEvent ?? '', ...untold(event) }];
    const moments = [...(memoryOf(record).moments ?? []), ...moment].slice(-MOMENTS);
    const marked = withMemory(record, { moments });
    if (event.detail === 'idle' && ['finished', 'background', 'failed'].includes(record.state)) return marked;
    return { ...into(marked, 'waiting', at), since: at, waitingFor: event.detail };
  },

  resolved: (record, at) =>
    withMemory(record.state === 'waiting' ? into(record, 'working', at) : record, { moments: undefined }),

  finished: (record, at, event) =>
    withMemory(
      { ...into(record, 'finished', at), since: at, running: [] },
      { finished: untold(event), moments: undefined, held: undefined },
    ),

  'subagent-started': (record, _at, _event, said) => ({ ...record, subagents: subagents(record, said, true) }),
  'subagent-finished': (record, _at, _event, said) => ({ ...record, subagents: subagents(record, said, false) }),

  interrupted: (record, at, event) =>
    withMemory(into(record, 'finished', at), { interrupted: { at: event.at }, moments: undefined }),

  ended: (record, at, event) => {
    const left = event.detail === 'left';
    const end = { ...untold(event), abnormal: event.abnormal, urgency: event.urgency, left };
    const over = { ...into(record, 'ended', at), subagents: [], running: [] };
    return withMemory(over, { end, moments: undefined, held: undefined });
  },

  failed: (record, at, event) =>
    withMemory(into(record, 'failed', at), {
      failure: event.detail === 'stalled' ? undefined : untold(event), // silent, but its turn goes on
      ...{ moments: undefined, held: undefined },
    }),

  none: (record) => record,
};

// How each signal changes a session's row.
import type { ParsedHook, SessionSignal } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import type { SessionRecord, SessionState } from '../../model/session/session.ts';
import { cutsOff, isOvertaken, type Mark, memoryOf, openPrompt, withMemory } from './session-memory.ts';
import { sanitize } from '../../lib/text/text.ts';

/** Requests of attention remembered per session. */
const MAX_OPEN_REQUESTS = 20;
/** Subagents remembered per session. */
const MAX_SUBAGENTS = 100;

/** What of an input the transitions use. */
export type SignalData = Pick<ParsedHook, 'prompt' | 'correlationKey' | 'isFollowUp' | 'subagent'>;

/** One signal: the row after it. `at`: Unix ms when the hook began. */
export type Transition = (record: SessionRecord, at: number, event: Event, data: SignalData) => SessionRecord;

function enter(record: SessionRecord, state: SessionState, at: number): SessionRecord {
  const since = record.state === state ? record.since : at;
  return { ...record, state, since, waitingFor: state === 'waiting' ? record.waitingFor : null };
}

function subagents(record: SessionRecord, data: SignalData, begun: boolean): readonly string[] {
  const id = data.subagent?.id ?? data.subagent?.name ?? 'subagent';
  const others = record.subagents.filter((known) => known !== id);
  if (begun) return [...others, id].slice(-MAX_SUBAGENTS);
  return others.length < record.subagents.length ? others : record.subagents.slice(1);
}

const markOf = (event: Event): Mark => ({ at: event.at, id: event.id });

/** States in which a start does not begin a new session. */
const BUSY: ReadonlySet<SessionState> = new Set<SessionState>(['working', 'waiting', 'background']);

const RESET = {
  end: undefined,
  failure: undefined,
  interrupted: undefined,
  openRequests: undefined,
  held: undefined,
  compacted: undefined,
  closing: undefined,
} as const;

/** One entry a signal. */
export const TRANSITIONS: Readonly<Record<SessionSignal, Transition>> = {
  started: (record, at) => {
    const started = BUSY.has(record.state) ? memoryOf(record).started : { at };
    const { finished } = memoryOf(record);
    const past = finished && { ...finished, past: true };
    return withMemory(
      { ...enter(record, 'started', at), subagents: [], running: [] },
      { ...RESET, started, finished: past },
    );
  },

  prompted: (record, at, _event, data) => {
    const working = { ...enter(record, 'working', at), since: at, turnStarted: at, promptedAt: at };
    const request = data.prompt === null ? undefined : sanitize(data.prompt, 300);
    return withMemory(
      { ...working, finishedSincePrompt: null, subagents: [], running: [] },
      {
        ...RESET,
        started: undefined,
        finished: undefined,
        request,
      },
    );
  },

  // What a subagent does says nothing of whether the session itself waits or has failed.
  activity: (record, at, _event, data) => {
    if (data.subagent !== null) return record;
    const resting = ['waiting', 'started', 'unknown', 'failed'].includes(record.state);
    return withMemory(resting ? enter(record, 'working', at) : record, { failure: undefined });
  },

  waiting: (record, at, event, data) => {
    const moment =
      data.correlationKey === null
        ? []
        : [
            {
              key: data.correlationKey,
              event: event.hookEvent ?? '',
              ...markOf(event),
              ...(data.isFollowUp && { isFollowUp: true as const }),
            },
          ];
    const openRequests = [...(memoryOf(record).openRequests ?? []), ...moment].slice(-MAX_OPEN_REQUESTS);
    const marked = withMemory(record, { openRequests });
    if (event.detail === 'idle' && ['finished', 'background', 'failed'].includes(record.state)) return marked;
    return { ...enter(marked, 'waiting', at), since: at, waitingFor: event.detail };
  },

  resolved: (record, at) =>
    withMemory(record.state === 'waiting' ? enter(record, 'working', at) : record, { openRequests: undefined }),

  finished: (record, at, event) => {
    const asked = openPrompt(record);
    const finished = { ...markOf(event), ...(asked !== null && { asked }) };
    const over = { finished, openRequests: undefined, held: undefined };
    if (isOvertaken(record, event)) return withMemory(record, over); // it stays ended
    return withMemory({ ...enter(record, 'finished', at), since: at, running: [] }, over);
  },

  'subagent-started': (record, _at, _event, data) => ({ ...record, subagents: subagents(record, data, true) }),
  'subagent-finished': (record, _at, _event, data) => ({ ...record, subagents: subagents(record, data, false) }),

  interrupted: (record, at, event) =>
    withMemory(enter(record, 'finished', at), { interrupted: { at: event.at }, openRequests: undefined }),

  'turn-over': (record, at, event) => {
    if (!cutsOff(record) || memoryOf(record).held !== undefined) return record;
    return withMemory(enter(record, 'finished', at), { interrupted: { at: event.at }, openRequests: undefined });
  },

  closing: (record, _at, event) => withMemory(record, { closing: { at: event.at } }),

  compacted: (record, _at, event) => withMemory(record, { compacted: { at: event.at } }),

  ended: (record, at, event) => {
    const exitedQuietly = event.detail === 'left';
    const atWork = cutsOff(record) ? ({ atWork: true } as const) : {};
    const end = { ...markOf(event), abnormal: event.abnormal, urgency: event.urgency, exitedQuietly, ...atWork };
    const over = { ...enter(record, 'ended', at), subagents: [], running: [] };
    return withMemory(over, { end, openRequests: undefined, held: undefined });
  },

  failed: (record, at, event) =>
    withMemory(enter(record, 'failed', at), {
      failure: event.detail === 'stalled' ? undefined : markOf(event), // silent, but its turn is not over
      openRequests: undefined,
      held: undefined,
    }),

  none: (record) => record,
};

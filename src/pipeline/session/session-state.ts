// InputStage 3: updates the session's record with what the input says about it.
import type { LimitReached } from '../../model/agent/limits.ts';
import type { ParsedHook, SessionSignal } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import type { ClientProcess, SessionRecord } from '../../model/session/session.ts';
import {
  addVerdict,
  agentSettings,
  type Facts,
  type InputStage,
  type InputState,
  type StageContext,
} from '../pipeline-state.ts';
import {
  asFinishMet,
  failedBeforeEnd,
  finishedBeforeEnd,
  isOvertaken,
  memoryOf,
  turnOver,
  withMemory,
} from './session-memory.ts';
import { type SignalData, TRANSITIONS } from './transitions.ts';
import { sanitize } from '../../lib/text/text.ts';
import { notifiedOf } from '../who-hears/notified-channels.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { Incoming, IncomingHook } from '../../model/event/incoming.ts';

/** The row as it is compared with an input that began at `startedAt`; `now`: Unix ms. Its marks stay: nothing is near one in the future. */
export function clampFuture(record: SessionRecord, startedAt: number, now: number): SessionRecord {
  if (Math.max(record.since, record.lastEvent) <= now) return record;
  const before = (at: number): number => (at > now ? Math.min(at, startedAt) : at);
  const known = (at: number | null): number | null => (at === null ? null : before(at));
  return {
    ...record,
    since: before(record.since),
    lastEvent: before(record.lastEvent),
    turnStarted: known(record.turnStarted),
    promptedAt: known(record.promptedAt),
    finishedSincePrompt: known(record.finishedSincePrompt),
  };
}

/** Whether the client, what started it, or its terminal was gone while this hook ran; what the daemon did not see itself says nothing. */
function isLeftAlone({ origin }: IncomingHook, { record, process }: Facts): boolean {
  const before = record?.process ?? null;
  if (before === null || origin.seen !== true) return false;
  if (process === null) return true;
  const isSame = process.pid === before.pid && process.start === before.start;
  if (isSame && before.parent !== undefined && process.parent !== before.parent) return true;
  return before.tty !== undefined && process.tty !== before.tty;
}

/** What clients report of a turn that a person stopped. */
const STOPS: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['interrupted', 'turn-over']);

/** The input without what only a person can have done: an interruption, a way out that they chose. */
export function withoutPerson(incoming: Incoming, facts: Facts): Incoming {
  if (incoming.type !== 'hook' || !isLeftAlone(incoming, facts)) return incoming;
  const { parsed } = incoming;
  const stop = STOPS.has(parsed.signal) ? ({ signal: 'closing', urgency: 'low' } as const) : {};
  return { ...incoming, parsed: { ...parsed, ...stop, byUser: false } };
}

/** Kind of the timers that check for a stall. */
export const STALL = 'stall';

/** Sets, moves or clears the timer as the session's row now asks for it; nothing where `stalled_after` is not set. */
export function scheduleStallCheck(state: InputState, { facts, config, now }: StageContext): InputState {
  const { record } = state;
  if (record === null || record === facts.record) return state;
  const id = `${STALL}:${sessionKeyText(record)}`;
  const after = agentSettings(config, record.agent).stalled_after;
  if (after === undefined) return state; // one that was set before the settings changed finds nothing to do
  if (record.state !== 'working' || memoryOf(record).limit !== undefined)
    return facts.record?.state === 'working' ? { ...state, timersToClear: [...state.timersToClear, id] } : state;
  const { host, user, agent, sessionId: session } = record;
  const data = { host, user, agent, session };
  return { ...state, timersToSet: [...state.timersToSet, { id, kind: STALL, due: now + after, data }] };
}

function newSession(event: Event, sessionId: string, at: number): SessionRecord {
  return {
    host: event.host,
    user: event.user,
    agent: event.agent,
    sessionId,
    version: 0,
    state: 'unknown',
    since: at,
    firstSeen: at,
    lastEvent: at,
    cwd: null,
    project: null,
    branch: null,
    title: null,
    transcript: null,
    waitingFor: null,
    lastAssistantMessage: null,
    turnStarted: null,
    finishedSincePrompt: null,
    promptedAt: null,
    running: [],
    subagents: [],
    parentSessionId: null,
    process: null,
    memory: {},
  };
}

/** The client's process, with the parent and the terminal that it had at the latest prompt: a person is where that was typed. */
function processOf(
  { process: before }: SessionRecord,
  { process: now }: Facts,
  signal: SessionSignal | undefined,
): ClientProcess | null {
  if (before === null || now === null || signal === 'prompted') return now ?? before;
  return now.pid === before.pid && now.start === before.start ? { ...now, ...before } : now;
}

/** What the input says about the session besides its state. */
function mergeDetails(
  record: SessionRecord,
  event: Event,
  parsed: ParsedHook | null,
  { facts }: StageContext,
): SessionRecord {
  // A subagent's words and transcript are not the session's.
  const own = parsed?.signal.startsWith('subagent') ? null : parsed;
  const lastWords = own?.lastAssistantMessage ?? null;
  const merged: SessionRecord = {
    ...record,
    lastEvent: Math.max(record.lastEvent, event.at),
    cwd: event.cwd ?? record.cwd,
    project: event.project ?? record.project,
    branch: facts.place.project === null ? record.branch : facts.place.branch,
    title: parsed?.title ?? record.title,
    transcript: own?.transcript ?? record.transcript,
    lastAssistantMessage: lastWords === null ? record.lastAssistantMessage : sanitize(lastWords, 500),
    parentSessionId: parsed?.parentSessionId ?? record.parentSessionId,
    process: processOf(record, facts, parsed?.signal),
  };
  return facts.window === null ? merged : withMemory(merged, { window: facts.window });
}

/** Signals whose order with the session's state does not matter. */
const ORDER_INDEPENDENT: ReadonlySet<SessionSignal> = new Set<SessionSignal>([
  'subagent-started',
  'subagent-finished',
  'none',
]);
const NO_DATA: SignalData = { prompt: null, correlationKey: null, isFollowUp: false, subagent: null };

/** What an input says about its session; null where it says nothing about one. */
export function signalOf({ incoming, event }: InputState, before: SessionRecord | null): SessionSignal | null {
  if (event.sessionId === null) return null;
  if (incoming.type === 'hook') return incoming.parsed.signal;
  if (before?.agent !== event.agent) return null;
  return ownSignal(event);
}

/** Details of Belfry's own events that change nothing of their session: its hooks say what it does. */
const NOTED: ReadonlySet<string> = new Set(['retrying', 'continued', 'held']);

/** What an event of Belfry's own says about its session. */
export function ownSignal(event: Event): SessionSignal {
  if (NOTED.has(event.detail ?? '')) return 'none';
  if (event.kind === 'agent.other') return 'interrupted';
  return event.kind === 'session.ended' ? 'ended' : 'failed';
}

/** It stays ended, by an end that cut off nothing: its turn was over, by what began before. */
function endedAtRest(record: SessionRecord, { at, id }: Event, by: 'finished' | 'failure'): SessionRecord {
  const { end } = memoryOf(record);
  if (end === undefined) return record;
  const { atWork: _wrong, ...rest } = end;
  return withMemory(record, { [by]: { at, id }, end: { ...rest, urgency: 'low' } });
}

/** After these a session that its account's limit has stopped still stands still. */
const STANDS_STILL: ReadonlySet<SessionSignal> = new Set<SessionSignal>([
  ...ORDER_INDEPENDENT,
  'waiting',
  'resolved',
  'turn-over',
  'compacted',
]);

/** The limit that an input says its session has met. */
function limitOf({ incoming, event }: InputState): LimitReached | null {
  if (incoming.type === 'hook') return incoming.parsed.limit;
  return incoming.source === 'belfry' ? ((event.attributes['limit'] as LimitReached | undefined) ?? null) : null; // as turn-evidence.ts wrote it
}

function withLimit(
  record: SessionRecord,
  signal: SessionSignal,
  { subagent }: SignalData,
  limit: LimitReached | null,
): SessionRecord {
  if (limit !== null) return withMemory(record, { limit });
  const isKept = memoryOf(record).limit === undefined || STANDS_STILL.has(signal) || subagent !== null;
  return isKept ? record : withMemory(record, { limit: undefined });
}

/** Changes the row; an input that comes late (out of the spool) changes no state that later ones made. */
export const updateSession: InputStage = (state, context) => {
  const { incoming, event } = state;
  const { record } = context.facts;
  if (event.sessionId === null) return addVerdict(state, 'session', 'pass', 'no session');
  const signal = signalOf(state, record);
  if (signal === null) return addVerdict(state, 'session', 'pass', 'session unchanged');
  const parsed = incoming.type === 'hook' ? incoming.parsed : null;
  const found = record ?? newSession(event, event.sessionId, incoming.startedAt);
  const before = signal === 'finished' ? asFinishMet(found, event) : found;
  const known = mergeDetails(before, event, parsed, context);
  const late = record !== null && incoming.startedAt < before.since;
  if (signal === 'finished' && finishedBeforeEnd(before, event)) {
    const note = 'it began before the end, which cut off nothing';
    return addVerdict({ ...state, record: endedAtRest(known, event, 'finished') }, 'session', 'change', note);
  }
  if (signal === 'failed' && failedBeforeEnd(before, incoming.startedAt)) {
    const note = 'it began before the end, and says why';
    return addVerdict({ ...state, record: endedAtRest(known, event, 'failure') }, 'session', 'change', note);
  }
  // Of what began before the end and comes after it only the failure that the end has reported is an echo.
  const over = late && signal !== 'failed' ? null : afterEnd(before, signal, event, context.facts);
  if (over !== null) return addVerdict({ ...state, record: known }, 'session', 'stop', over);
  if (late && !ORDER_INDEPENDENT.has(signal))
    return addVerdict({ ...state, record: known }, 'session', 'pass', 'arrived late: session unchanged');
  const data = parsed ?? NO_DATA;
  const after = withLimit(TRANSITIONS[signal](known, incoming.startedAt, event, data), signal, data, limitOf(state));
  const moved = { ...state, record: after };
  if (before.state === after.state) return addVerdict(moved, 'session', 'pass', `still ${after.state}`);
  return addVerdict(moved, 'session', 'change', `${before.state} -> ${after.state}`);
};

/** What begins it again; a second end is left to the correlation, which knows which of the two is worse. */
const PASSING: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['started', 'prompted', 'ended']);
/** Ms after which a session lives again that reports neither starts nor prompts: then nothing else could tell. */
const RESUMED_UNSEEN = 120_000;

/** Why an input is only an echo of a session's last moments; null: it is not. */
function afterEnd(record: SessionRecord, signal: SessionSignal, event: Event, facts: Facts): string | null {
  const { end } = memoryOf(record);
  if (record.state !== 'ended' || end === undefined || PASSING.has(signal)) return null;
  const reportsStarts = record.promptedAt !== null || memoryOf(record).started !== undefined;
  if (!reportsStarts && Math.abs(event.at - end.at) > RESUMED_UNSEEN) return null;
  // An end that alarmed nobody must not hide why the turn failed.
  const alarmed = notifiedOf(end, facts).length > 0 && end.urgency === 'urgent';
  if (signal === 'failed' && !alarmed) return null;
  // Nor that it had finished; of a turn that was over before, or that the end cut off, it is an echo.
  const overtaken = signal === 'finished' && isOvertaken(record, event);
  if (overtaken && end.urgency === 'low' && end.atWork !== true && turnOver(record) === null) return null;
  return 'the session had ended: neither a start nor a prompt came since';
}

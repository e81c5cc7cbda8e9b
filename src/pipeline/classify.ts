// Stage 1: makes the event, with the urgency that only the session's history can decide.
import type { ParsedHook, BackgroundTask } from '../model/agent.ts';
import type { Event, Urgency } from '../model/event.ts';
import type { IncomingHook } from '../model/incoming.ts';
import { placeOf } from '../model/place.ts';
import type { SessionRecord } from '../model/session.ts';
import { atRest, turnOver } from './idle.ts';
import { notifiedOf } from './notified-channels.ts';
import { memoryOf } from './session-memory.ts';
import type { Facts, PipelineState, Stage } from './pipeline-state.ts';
import { addVerdict } from './pipeline-state.ts';

/** Work that continues after a finished turn: what the input lists, else the subagents the session record knows. */
export function stillRunning(parsed: ParsedHook, record: SessionRecord | null): readonly BackgroundTask[] {
  if (parsed.running !== null) return parsed.running;
  return (record?.subagents ?? []).map((id) => ({ id, type: 'subagent', label: null }));
}

/** Whether a session is a subagent of another. */
export function isSubagent(parsed: ParsedHook, record: SessionRecord | null): boolean {
  return parsed.parentSessionId !== null || (record?.parentSessionId ?? null) !== null;
}

interface Classification {
  readonly urgency: Urgency;
  readonly detail: string | null;
  readonly why: string | null;
}

function classifyUrgency(parsed: ParsedHook, facts: Facts): Classification {
  const { record } = facts;
  const asParsed = { urgency: parsed.urgency, detail: parsed.detail, why: null };
  const low = (why: string): Classification => ({ ...asParsed, urgency: 'low', why: `low: ${why}` });
  if (parsed.kind === 'agent.waiting' && parsed.detail === 'idle') {
    if (isSubagent(parsed, record)) return low("it is a subagent's session");
    if (record !== null && record.finishedSincePrompt !== null)
      return low('you were already notified that it finished');
    return { ...asParsed, urgency: 'normal' };
  }
  if (parsed.kind === 'session.ended' && parsed.abnormal) {
    if (notifiedOf(memoryOf(record).failure, facts).length > 0)
      return low('you were already notified of its failure, and no prompt came since');
    const rest = parsed.reason === 'error' ? null : atRest(record);
    if (rest !== null) return low(rest);
    return { ...asParsed, urgency: 'urgent', why: 'it ended abnormally while it may have been working' };
  }
  if (parsed.kind === 'agent.finished') {
    if (isSubagent(parsed, record))
      return { urgency: 'low', detail: 'background', why: "low: it is a subagent's session" };
    if (stillRunning(parsed, record).length > 0)
      return { urgency: 'low', detail: 'background', why: 'low: background work is still running' };
  }
  return asParsed;
}

/** Whether Belfry's own check of a session is older than what its record says now. */
function judgeOwn(event: Event, record: SessionRecord | null): Event {
  const gone = event.kind === 'session.failed' && event.detail === 'vanished' && record?.agent === event.agent;
  return gone && turnOver(record) !== null ? { ...event, urgency: 'low' } : event;
}

/** Facts of the input that rendering needs later. */
function attributesOf(incoming: IncomingHook, facts: Facts): Event['attributes'] {
  const { parsed } = incoming;
  const began = facts.record?.turnStarted ?? null;
  const seconds = parsed.seconds ?? (began === null ? null : Math.max(0, (incoming.startedAt - began) / 1_000));
  const running = parsed.kind === 'agent.finished' ? stillRunning(parsed, facts.record) : [];
  const known: Record<string, unknown> = {
    seconds: parsed.kind === 'agent.finished' ? seconds : null,
    tool: parsed.tool,
    tool_use_id: parsed.kind === 'agent.waiting' ? parsed.toolUseId : null,
    last_assistant_message: parsed.lastAssistantMessage,
    prompt: parsed.prompt,
    request: memoryOf(facts.record).request ?? null,
    subagent: parsed.subagent,
    parent_session_id: parsed.parentSessionId ?? facts.record?.parentSessionId ?? null,
    session_title: parsed.title,
    running: running.length > 0 ? running : null,
  };
  return { ...parsed.unknown, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)) };
}

function fromHook(incoming: IncomingHook, facts: Facts, judged: Classification): Event {
  const { parsed } = incoming;
  return {
    id: incoming.entryId,
    kind: parsed.kind,
    agent: incoming.agent,
    host: incoming.host,
    user: incoming.user,
    place: placeOf(incoming.origin),
    hookEvent: parsed.hookEvent,
    sessionId: parsed.sessionId,
    cwd: parsed.cwd ?? incoming.origin.cwd ?? facts.record?.cwd ?? null,
    project: facts.place.project ?? facts.record?.project ?? null,
    branch: facts.place.branch ?? (facts.place.project === null ? (facts.record?.branch ?? null) : null),
    message: parsed.message,
    reason: parsed.reason,
    abnormal: parsed.abnormal,
    detail: judged.detail,
    urgency: judged.urgency,
    at: incoming.receivedAt,
    presetText: null,
    attributes: attributesOf(incoming, facts),
  };
}

/** The state at the beginning, with its event. */
export function createState(incoming: PipelineState['incoming'], facts: Facts): PipelineState {
  const empty = {
    incoming,
    fingerprint: null,
    record: facts.record,
    verdicts: [],
    active: true,
    timersToSet: [],
    timersToClear: [],
    mutedChannels: [],
    alreadyNotified: { channels: [], by: [] },
    plan: [],
    resolved: [],
    cancel: [],
  };
  if (incoming.type === 'event') {
    const { event } = incoming;
    const placed = judgeOwn(
      event.project === null && facts.place.project !== null ? { ...event, ...facts.place } : event,
      facts.record,
    );
    return { ...empty, event: placed };
  }
  return { ...empty, event: fromHook(incoming, facts, classifyUrgency(incoming.parsed, facts)) };
}

/** Records how the input was classified. Belfry's own check of a session that has moved on since is stopped. */
export const classify: Stage = (state, { facts }) => {
  const { incoming, event } = state;
  const what = `${event.kind}${event.detail === null ? '' : `/${event.detail}`}, urgency ${event.urgency}`;
  if (incoming.type === 'hook') {
    const why = classifyUrgency(incoming.parsed, facts).why;
    return addVerdict(
      state,
      'classify',
      'pass',
      `${event.hookEvent} classified as ${what}${why === null ? '' : ` (${why})`}`,
    );
  }
  if (isStale(event, facts.record))
    return addVerdict(state, 'classify', 'stop', `${what}: outdated, the session has continued since`);
  const rest = event.detail === 'vanished' && event.urgency === 'low' ? turnOver(facts.record) : null;
  return addVerdict(
    state,
    'classify',
    'pass',
    `${what}, from ${incoming.source}${rest === null ? '' : ` (low: ${rest})`}`,
  );
};

/** Whether a session reported as exited or silent has meanwhile ended or been active. */
function isStale(event: Event, record: SessionRecord | null): boolean {
  if (event.agent === 'belfry' || record === null || record.agent !== event.agent) return false;
  if (event.detail === 'stalled') return record.state !== 'working' || record.lastEvent > event.at;
  if (event.detail === 'vanished' || event.detail === 'left')
    return record.state === 'ended' || record.lastEvent > event.at;
  return false;
}

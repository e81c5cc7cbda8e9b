// InputStage 1: makes the event, with the urgency that only the session's history can decide.
import type { BackgroundTask, ParsedHook } from '../../model/agent/agent.ts';
import type { Event, Urgency } from '../../model/event/event.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import { placeOf } from '../../model/session/place.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { asEndMet, atRest, cutsOff, memoryOf, turnOver } from '../session/session-memory.ts';
import { notifiedOf } from '../who-hears/notified-channels.ts';
import { addVerdict, type Facts, type InputStage, type InputState } from '../pipeline-state.ts';

/** Work that continues after a finished turn: what the input lists, else the subagents that the session's record knows, and those that are sessions of their own. */
export function stillRunning(
  parsed: ParsedHook,
  { record, children }: Pick<Facts, 'record' | 'children'>,
): readonly BackgroundTask[] {
  if (parsed.running !== null) return parsed.running;
  const ids = new Set([...(record?.subagents ?? []), ...children.map(({ sessionId }) => sessionId)]);
  return [...ids].map((id) => ({ id, type: 'subagent', label: null }));
}

/** Whether the client did not list this task: it is a subagent that {@link stillRunning} knew. */
export function isUnlisted({ type, label, id }: BackgroundTask): boolean {
  return type === 'subagent' && label === null && id !== null;
}

/** Whether a session is a subagent of another. */
export function isSubagent(parsed: ParsedHook, record: SessionRecord | null): boolean {
  return parsed.parentSessionId !== null || (record?.parentSessionId ?? null) !== null;
}

interface Classification {
  readonly urgency: Urgency;
  readonly detail: string | null;
  readonly why: string | null;
  /** Set where the end cut off work, whatever its reason. */
  readonly abnormal?: true;
}

/** Ms after an interruption in which who made it is still there. */
const RIGHT_AFTER = 15_000;

/** Why an idle notice asks nothing of anybody; null: it does. */
function idleAsksNothing(parsed: ParsedHook, facts: Facts, at: number): string | null {
  const { record } = facts;
  if (isSubagent(parsed, record)) return "it is a subagent's session";
  if (record === null) return null;
  const { failure, interrupted, limit } = memoryOf(record);
  if (limit !== undefined) return "its account's limit has stopped it";
  if (record.finishedSincePrompt !== null) return 'you were already notified that it finished';
  if (notifiedOf(failure, facts).length > 0) return 'you were already notified of its failure';
  if (interrupted !== undefined && Math.abs(at - interrupted.at) <= RIGHT_AFTER) return 'you interrupted its turn';
  const over = parsed.signal === 'turn-over' && memoryOf(record).held === undefined;
  return over && cutsOff(record) ? 'its turn is over without a finish: you interrupted it' : null;
}

function classifyEnd(parsed: ParsedHook, facts: Facts): Classification {
  const { record } = facts;
  const { urgency, detail } = parsed;
  const cutOff = !parsed.byUser && cutsOff(record);
  const abnormal = cutOff ? ({ abnormal: true } as const) : {};
  const low = (why: string): Classification => ({ ...abnormal, detail, urgency: 'low', why: `low: ${why}` });
  if (!parsed.abnormal && !cutOff) return { urgency, detail, why: null };
  if (memoryOf(record).limit !== undefined) return low("its account's limit had stopped it");
  if (notifiedOf(memoryOf(record).failure, facts).length > 0)
    return low('you were already notified of its failure, and no prompt came since');
  if (cutOff) return { ...abnormal, urgency: 'urgent', detail: 'cut-off', why: 'it ended in the middle of work' };
  // The end of its parent, or the exit of their process, is reported instead.
  const quiet = parsed.turnBegan ? turnOver(record) : atRest(record);
  const rest = parsed.reason === 'error' ? null : isSubagent(parsed, record) ? "it is a subagent's session" : quiet;
  if (rest !== null) return low(rest);
  return { detail, urgency: 'urgent', why: 'it ended abnormally while it may have been working' };
}

function classifyUrgency(incoming: IncomingHook, facts: Facts): Classification {
  const { parsed } = incoming;
  const { record } = facts;
  const asParsed = { urgency: parsed.urgency, detail: parsed.detail, why: null };
  const low = (why: string): Classification => ({ ...asParsed, urgency: 'low', why: `low: ${why}` });
  if (parsed.kind === 'agent.waiting' && parsed.detail === 'idle') {
    const nothing = idleAsksNothing(parsed, facts, incoming.receivedAt);
    if (nothing !== null) return low(nothing);
    return parsed.urgency === 'low' ? asParsed : { ...asParsed, urgency: 'normal' };
  }
  if (parsed.kind === 'session.ended')
    return classifyEnd(parsed, { ...facts, record: asEndMet(record, incoming.startedAt) });
  if (parsed.kind === 'agent.finished') {
    if (isSubagent(parsed, record))
      return { urgency: 'low', detail: 'background', why: "low: it is a subagent's session" };
    if (stillRunning(parsed, facts).length > 0)
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
  const running = parsed.kind === 'agent.finished' ? stillRunning(parsed, facts) : [];
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
    remote: incoming.origin.remote ?? null,
    running: running.length > 0 ? running : null,
    limit: parsed.limit,
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
    abnormal: judged.abnormal ?? parsed.abnormal,
    detail: judged.detail,
    urgency: judged.urgency,
    at: incoming.receivedAt,
    presetText: null,
    attributes: attributesOf(incoming, facts),
  };
}

/** The state at the beginning, with its event. */
export function createState(incoming: InputState['incoming'], facts: Facts): InputState {
  const empty = {
    incoming,
    fingerprint: null,
    record: facts.record,
    verdicts: [],
    active: true,
    timersToSet: [],
    timersToClear: [],
    settles: null,
    alreadyNotified: { channels: [], by: [] },
    routes: [],
    grouped: new Map(),
    joins: new Map(),
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
  return { ...empty, event: fromHook(incoming, facts, classifyUrgency(incoming, facts)) };
}

/** Records how the input was classified. Belfry's own check of a session that has moved on since is stopped. */
export const classify: InputStage = (state, { facts }) => {
  const { incoming, event } = state;
  const what = `${event.kind}${event.detail === null ? '' : `/${event.detail}`}, urgency ${event.urgency}`;
  if (incoming.type === 'hook') {
    const why = classifyUrgency(incoming, facts).why;
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
  if (event.kind === 'agent.other') return record.state !== 'waiting';
  if (event.detail === 'stalled') return record.state !== 'working' || record.lastEvent > event.at;
  if (event.detail === 'vanished' || event.detail === 'left')
    return record.state === 'ended' || record.lastEvent > event.at;
  return false;
}

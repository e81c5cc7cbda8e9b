// The liveness monitor: notices within 15 seconds that the process of a live session is gone.
import { sessionEvent } from '../../model/event/session-event.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Agent, TurnEvidence } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { ClientProcess, SessionRecord, SessionState } from '../../model/session/session.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { atRest, cutsOff, memoryOf } from '../../pipeline/index.ts';
import type { Writer } from '../../decisions/writer.ts';
import type { Decision, Store } from '../../store/contract.ts';
import type { ProcessInspector } from './process-inspector.ts';
import { sha256 } from '../../lib/hash.ts';
import { failureEvent } from './turn-evidence.ts';

export interface LivenessDeps {
  readonly store: Pick<Store, 'session' | 'sessions' | 'setTimer' | 'clearTimer'>;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly inspector: ProcessInspector;
  readonly agents: (name: string) => Agent | undefined;
  /** What the transcript of a client that is gone says of its last turn. */
  readonly evidence: (record: SessionRecord) => Promise<TurnEvidence | null>;
  /** Hands an own event to ingest; the same id twice is one event. */
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
  /** The timer row was set or moved. */
  readonly wake: () => void;
}

export interface LivenessMonitor {
  /** Monitors the sessions that the store holds as live. */
  start(): Promise<void>;
  /** A decision was written. */
  decided(decision: Decision): void;
  /** The handler of timers of kind `liveness`. */
  check(timer: Timer): Promise<void>;
}

/** Kind and id of the one timer. */
export const LIVENESS_TIMER = 'liveness';
/** Ms between two checks, and until the second check of a process that was gone: its last hook may still be on the way. */
const CHECK_MS = 10_000;
const RECHECK_MS = 4_000;
/** Ms that a client takes at most from the end of its session to its own. */
const CLEAN_EXIT_MS = 60_000;
/** After a restart the exit of a session that was silent for this long is not reported: nobody waits for it. */
const MAX_IDLE_MS = 24 * 3_600_000;

const LIVE: ReadonlySet<SessionState> = new Set<SessionState>([
  'started',
  'working',
  'waiting',
  'background',
  'finished',
  'unknown',
]);

type Watched = SessionRecord & { readonly process: ClientProcess };

const isWatched = (record: SessionRecord): record is Watched => record.process !== null && LIVE.has(record.state);
const keyOf = (record: SessionRecord): string => sessionKeyText(record);
const same = (a: ClientProcess | null, b: ClientProcess): boolean =>
  a?.pid === b.pid && a.start === b.start && a.where === b.where;

/** One process, several sessions: where the client itself just ended one of them, it exited cleanly. */
function endedCleanly(record: SessionRecord, now: number): boolean {
  const { end } = memoryOf(record);
  // In both directions, so that a clock set back makes an old end no recent one.
  const recent = end !== undefined && Math.abs(now - end.at) < CLEAN_EXIT_MS;
  return record.state === 'ended' && record.parentSessionId === null && end?.exitedQuietly === false && recent;
}

/** The event reported for a client whose process vanished. */
function exitEvent(record: Watched, left: boolean, now: number): Event {
  const { process } = record;
  return sessionEvent(record, {
    id: `gone-${sha256(`${keyOf(record)}:${process.pid}:${process.start}:${record.lastEvent}`, 24)}`,
    kind: left ? 'session.ended' : 'session.failed',
    message: left
      ? null
      : `Its process (${process.name}, pid ${process.pid}) is gone, and it never said that the session ended.`,
    abnormal: !left,
    detail: left ? 'left' : 'vanished',
    urgency: left ? 'low' : 'urgent',
    at: now,
    attributes: {
      ...(record.lastAssistantMessage === null ? {} : { last_assistant_message: record.lastAssistantMessage }),
      ...(memoryOf(record).request === undefined ? {} : { request: memoryOf(record).request }),
      ...(record.parentSessionId === null ? {} : { parent_session_id: record.parentSessionId }),
    },
  });
}

/** Whether the exit of the process is this session's ordinary end. */
async function isExpectedExit(record: Watched, { store, clock, agents }: LivenessDeps): Promise<boolean> {
  if (atRest(record) !== null && agents(record.agent)?.exitsWithoutEvent === true) return true;
  const since = Math.min(record.firstSeen, clock.now() - MAX_IDLE_MS); // the clock may have been set back since
  const others = await store.sessions({ agent: record.agent, since });
  const beside = others.filter((other) => keyOf(other) !== keyOf(record) && same(other.process, record.process));
  if (beside.some((other) => other.sessionId === record.parentSessionId)) return true; // the parent's exit is reported instead
  return beside.some((other) => endedCleanly(other, clock.now()));
}

/** A turn that failed on the way out is reported as that, and nothing else. */
async function eventOfExit(record: Watched, deps: LivenessDeps): Promise<Event> {
  const now = deps.clock.now();
  const found = cutsOff(record) ? await deps.evidence(record) : null;
  const failed = found?.outcome === 'failed' ? failureEvent(record, found, now) : null;
  return failed ?? exitEvent(record, await isExpectedExit(record, deps), now);
}

/** Unless something was decided about it meanwhile. */
async function forget(record: Watched, { store, writer, clock }: LivenessDeps): Promise<void> {
  await writer.write(async () => {
    const known = await store.session(record);
    if (known?.version !== record.version) return null;
    const entryId = `forget:${keyOf(record)}:${record.version}`;
    return { entryId, at: clock.now(), sessions: [{ ...record, process: null }] };
  });
}

/** The sessions to begin with. Of one silent for long whose process is gone, that is forgotten: its end is not known. */
async function stillRunning(deps: LivenessDeps): Promise<readonly Watched[]> {
  const { store, clock, inspector } = deps;
  const now = clock.now();
  const known = (await store.sessions({ hasProcess: true })).filter(isWatched);
  const silent = known.filter(({ lastEvent }) => lastEvent < now - MAX_IDLE_MS);
  const exited = silent.length === 0 ? [] : await inspector.findExited(silent.map(({ process }) => process));
  const gone = new Set(silent.filter(({ process }) => exited.includes(process)));
  for (const record of gone) await forget(record, deps);
  return known.filter((record) => !gone.has(record));
}

/** Builds the monitor. Nothing ticks while no live session has a known process. */
export function createLivenessMonitor(deps: LivenessDeps): LivenessMonitor {
  const { store, clock } = deps;
  const watched = new Map<string, Watched>();
  const missing = new Set<string>();
  let decidedMeanwhile: Set<string> | null = null; // while the start looks
  let scheduled = false;

  async function schedule(ms: number): Promise<void> {
    scheduled = true;
    const now = clock.now();
    await store.setTimer({ id: LIVENESS_TIMER, kind: LIVENESS_TIMER, due: now + ms, data: {} }, now);
    deps.wake();
  }

  function track(record: SessionRecord): void {
    const key = keyOf(record);
    decidedMeanwhile?.add(key);
    missing.delete(key);
    if (isWatched(record)) watched.set(key, record);
    else watched.delete(key);
  }

  async function raiseExit(record: Watched): Promise<void> {
    const event = await eventOfExit(record, deps);
    await deps.raise(event, event.id);
    watched.delete(keyOf(record));
    missing.delete(keyOf(record));
  }

  return {
    start: async () => {
      const decided = new Set<string>();
      decidedMeanwhile = decided;
      for (const record of await stillRunning(deps)) if (!decided.has(keyOf(record))) track(record);
      decidedMeanwhile = null;
      if (watched.size > 0) await schedule(RECHECK_MS);
      else await store.clearTimer(LIVENESS_TIMER);
    },
    decided: (decision) => {
      for (const record of decision.sessions) track(record);
      if (watched.size > 0 && !scheduled)
        void schedule(CHECK_MS).catch(() => {
          scheduled = false;
        }); // the next decision arms it
    },
    check: async () => {
      const records = [...watched.values()];
      const exited = await deps.inspector.findExited(records.map((record) => record.process));
      for (const record of records) {
        const key = keyOf(record);
        if (!exited.includes(record.process)) missing.delete(key);
        else if (missing.has(key)) await raiseExit(record);
        else if (watched.get(key) === record) missing.add(key);
      }
      if (watched.size > 0) return schedule(missing.size > 0 ? RECHECK_MS : CHECK_MS);
      scheduled = false;
      await store.clearTimer(LIVENESS_TIMER);
    },
  };
}

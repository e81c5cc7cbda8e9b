// Watches the processes of live sessions: a client that is gone without a word is told within half a minute.
import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Agent } from '../model/agent.ts';
import type { Event } from '../model/event.ts';
import type { ClientProcess, SessionRecord, SessionState } from '../model/session.ts';
import type { Timer } from '../model/verdict.ts';
import { atRest, memoryOf } from '../pipeline/index.ts';
import type { Decision, Store } from '../store/contract.ts';
import type { ProcessLook } from './process-look.ts';

export interface LivingParts {
  readonly store: Pick<Store, 'sessions' | 'setTimer' | 'clearTimer'>;
  readonly clock: Clock;
  readonly look: ProcessLook;
  readonly agents: (name: string) => Agent | undefined;
  /** Hands an own event to ingest; the same id twice is one event. */
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
  /** The timer row was set or moved. */
  readonly wake: () => void;
}

export interface Living {
  /** Takes up the sessions that the store knows as live. */
  start(): Promise<void>;
  /** A decision was written. */
  decided(decision: Decision): void;
  /** The keeper of timers of kind `living`. */
  keep(timer: Timer): Promise<void>;
}

/** Kind and id of the one timer. */
export const LIVING = 'living';
/** Ms between two looks, and until the second look at a process that was gone: its last hook may still be on the way. */
const LOOK = 10_000;
const SECOND_LOOK = 5_000;
/** Ms that a client takes at most from the end of its session to its own. */
const GOODBYE = 60_000;
/** A session without a word for this long is not taken up at start: nobody waits for it. */
const FORGOTTEN = 24 * 3_600_000;

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
const keyOf = (record: SessionRecord): string => `${record.agent}:${record.sessionId}`;
const same = (a: ClientProcess | null, b: ClientProcess): boolean => a?.pid === b.pid && a.start === b.start;

/** One process, several sessions: where one of them was just ended by the client itself, the client left in order. */
function saidGoodbye(record: SessionRecord, now: number): boolean {
  const { end } = memoryOf(record);
  // Either way, so that a clock set back makes no goodbye of an end long ago.
  const recent = end !== undefined && Math.abs(now - end.at) < GOODBYE;
  return record.state === 'ended' && record.parentSessionId === null && end?.left === false && recent;
}

/** What a vanished client is told as. */
function goneEvent(record: Watched, left: boolean, now: number): Event {
  const { process } = record;
  const hash = createHash('sha256').update(`${keyOf(record)}:${process.pid}:${process.start}:${record.lastEvent}`);
  return {
    id: `gone-${hash.digest('hex').slice(0, 24)}`,
    kind: left ? 'session.ended' : 'session.failed',
    agent: record.agent,
    hookEvent: null,
    sessionId: record.sessionId,
    cwd: record.cwd,
    project: record.project,
    branch: record.branch,
    message: left
      ? null
      : `Its process (${process.name}, pid ${process.pid}) is gone, and it never said that the session ended.`,
    reason: null,
    abnormal: !left,
    detail: left ? 'left' : 'vanished',
    urgency: left ? 'low' : 'urgent',
    at: now,
    words: null,
    extra: {
      ...(record.lastWords === null ? {} : { last_words: record.lastWords }),
      ...(memoryOf(record).request === undefined ? {} : { request: memoryOf(record).request }),
      ...(record.parentSessionId === null ? {} : { parent_session_id: record.parentSessionId }),
    },
  };
}

/** Builds the watch. Nothing ticks while no live session has a known process. */
export function createLiving(parts: LivingParts): Living {
  const { store, clock } = parts;
  const watched = new Map<string, Watched>();
  const missing = new Set<string>();
  let armed = false;

  async function arm(ms: number): Promise<void> {
    armed = true;
    const now = clock.now();
    await store.setTimer({ id: LIVING, kind: LIVING, due: now + ms, data: {} }, now);
    parts.wake();
  }

  function follow(record: SessionRecord): void {
    const key = keyOf(record);
    missing.delete(key);
    if (isWatched(record)) watched.set(key, record);
    else watched.delete(key);
  }

  /** Whether the process being gone is this session's ordinary end. */
  async function ordinary(record: Watched): Promise<boolean> {
    if (atRest(record) !== null && parts.agents(record.agent)?.exitsWithoutEvent === true) return true;
    const since = Math.min(record.firstSeen, clock.now() - FORGOTTEN); // the clock may have been set back since
    const others = await store.sessions({ agent: record.agent, since });
    const beside = others.filter((other) => keyOf(other) !== keyOf(record) && same(other.process, record.process));
    if (beside.some((other) => other.sessionId === record.parentSessionId)) return true; // its parent's death is told
    return beside.some((other) => saidGoodbye(other, clock.now()));
  }

  async function tellGone(record: Watched): Promise<void> {
    const event = goneEvent(record, await ordinary(record), clock.now());
    await parts.raise(event, event.id);
    watched.delete(keyOf(record));
    missing.delete(keyOf(record));
  }

  return {
    start: async () => {
      const since = clock.now() - FORGOTTEN;
      for (const record of await store.sessions({ since })) follow(record);
      if (watched.size > 0) await arm(SECOND_LOOK);
      else await store.clearTimer(LIVING);
    },
    decided: (decision) => {
      for (const record of decision.sessions) follow(record);
      if (watched.size > 0 && !armed)
        void arm(LOOK).catch(() => {
          armed = false;
        }); // the next decision arms it
    },
    keep: async () => {
      const records = [...watched.values()];
      const gone = await parts.look.gone(records.map((record) => record.process));
      for (const record of records) {
        const key = keyOf(record);
        if (!gone.includes(record.process)) missing.delete(key);
        else if (missing.has(key)) await tellGone(record);
        else if (watched.get(key) === record) missing.add(key);
      }
      if (watched.size > 0) return arm(missing.size > 0 ? SECOND_LOOK : LOOK);
      armed = false;
      await store.clearTimer(LIVING);
    },
  };
}

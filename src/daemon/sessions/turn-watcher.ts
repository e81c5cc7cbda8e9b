// Watches the transcripts of turns under way, of clients that have no hook for a failure or for a declined prompt. While no such turn runs nothing is read or timed.
import type { Files } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Agent, TurnEvidence } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Decision, Store } from '../../store/contract.ts';
import { failureEvent, interruptionEvent, type TurnEvidenceReader } from './turn-evidence.ts';

export interface TurnWatcherDeps {
  readonly store: Pick<Store, 'sessions'>;
  readonly clock: Clock;
  readonly agents: (name: string) => Agent | undefined;
  readonly evidence: TurnEvidenceReader;
  readonly files: Files;
  /** Hands an own event to ingest; the same id twice is one event. */
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface TurnWatcher {
  /** Goes on with the turns that the store holds as under way. */
  start(): Promise<void>;
  /** A decision was written. */
  decided(decision: Decision): void;
  /** Resolves when no look is under way. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Ms between two looks at the files' sizes. */
const LOOK_MS = 1_000;
/** Turns watched at most; further ones are judged at their end only. */
const MAX_TURNS = 50;
/** A turn silent for this long (ms) is not watched any more. */
const MAX_IDLE_MS = 3_600_000;

interface Watched {
  readonly record: SessionRecord;
  readonly transcript: string;
  /** Of the file at the last look. */
  size: number;
  /** The turn of which it was said that it keeps trying. */
  reported: string | null;
}

/** Whether its client has no event for what may come next. Where it is not known when the turn began, what stands there may be of an earlier one. */
function isWatched({ state, turnStarted }: SessionRecord, agent: Agent | undefined): boolean {
  return agent?.transcript?.watch === state && (state === 'working' || turnStarted !== null);
}

/** Builds the watcher. */
export function createTurnWatcher(deps: TurnWatcherDeps): TurnWatcher {
  const { clock } = deps;
  const watched = new Map<string, Watched>();
  let cancel: (() => void) | null = null;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  function track(record: SessionRecord): void {
    const key = sessionKeyText(record);
    const { transcript } = record;
    if (!isWatched(record, deps.agents(record.agent)) || transcript === null) watched.delete(key);
    else if (watched.has(key) || watched.size < MAX_TURNS)
      watched.set(key, {
        record,
        transcript,
        size: watched.get(key)?.size ?? -1,
        reported: watched.get(key)?.reported ?? null,
      });
    if (watched.size > 0) schedule();
  }

  function schedule(): void {
    if (cancel !== null || stopped) return;
    cancel = clock.setTimer(LOOK_MS, () => {
      looking = lookAll()
        .catch((error: unknown) => deps.log('a transcript could not be watched', { error: String(error) }))
        .finally(() => {
          cancel = null;
          if (watched.size > 0) schedule();
        });
    });
  }

  async function lookAll(): Promise<void> {
    await Promise.all([...watched].map(([key, turn]) => lookAt(key, turn))); // one that hangs delays no other
  }

  async function lookAt(key: string, turn: Watched): Promise<void> {
    const { record } = turn;
    if (clock.now() - record.lastEvent > MAX_IDLE_MS) watched.delete(key);
    if (!watched.has(key) || !(await hasGrown(turn, deps.files))) return;
    const found = await deps.evidence.of(record, true);
    const isLooked = record.state === 'waiting' ? isInterruption : isTrouble;
    if (found === null || !isLooked(found) || watched.get(key)?.record !== record || turn.reported === found.turn)
      return;
    // One that keeps trying may go on, and fail in another way.
    if (found.outcome === 'retrying') turn.reported = found.turn;
    else watched.delete(key);
    const event = (found.outcome === 'interrupted' ? interruptionEvent : failureEvent)(record, found, clock.now());
    await deps.raise(event, event.id);
  }

  return {
    start: async () => {
      for (const record of await deps.store.sessions({ since: clock.now() - MAX_IDLE_MS })) track(record);
    },
    decided: (decision) => {
      for (const record of decision.sessions) track(record);
    },
    idle: () => looking,
    stop: async () => {
      stopped = true;
      cancel?.();
      await looking;
    },
  };
}

const isInterruption = ({ outcome }: TurnEvidence): boolean => outcome === 'interrupted';
const isTrouble = ({ outcome }: TurnEvidence): boolean => outcome === 'failed' || outcome === 'retrying';

async function hasGrown(turn: Watched, files: Files): Promise<boolean> {
  const size = (await files.target(turn.transcript))?.size ?? 0; // not there yet, or not to be seen now
  if (size === turn.size || size === 0) return false;
  turn.size = size;
  return true;
}

// What a store must do. SQLite is one engine; test/contracts/store.ts is the suite every engine passes.
import type { Attempt, Delivery, DeliveryState, Reason, RetryCounters } from '../model/delivery.ts';
import type { Event, Kind } from '../model/event.ts';
import type { SessionRecord } from '../model/session.ts';
import type { Silence, Timer, Verdict } from '../model/verdict.ts';

/** An envelope (or a source's own event) as journaled, before anything is decided. */
export interface JournalEntry {
  readonly id: string;
  /** socket, spool, http, watch, command. */
  readonly source: string;
  /** Unix ms when the hook began to read: orders a session's events. */
  readonly startedAt: number;
  readonly receivedAt: number;
  /** JSON of the envelope without its bytes, or of the source's event. */
  readonly header: string;
  /** The raw hook input; null once its time is over, or for events without one. Never leaves the machine. */
  readonly raw: Uint8Array | null;
}

/** All that was decided about one journal entry; written in one transaction, before anything is sent. */
export interface Decision {
  readonly entryId: string;
  /** Unix ms. */
  readonly at: number;
  /** Events that came of it (mostly one) with their verdicts; a timer's decision may concern an earlier event. */
  readonly events: readonly {
    readonly event: Event;
    readonly fingerprint: string | null;
    readonly verdicts: readonly Verdict[];
  }[];
  readonly deliveries: readonly Delivery[];
  readonly timers: { readonly set: readonly Timer[]; readonly clear: readonly string[] };
  readonly sessions: readonly SessionRecord[];
  /** Deliveries of earlier events that this one replaces: those not sent yet become folded. Absent: none. */
  readonly cancel?: readonly { readonly eventId: string; readonly channels: readonly string[] }[];
}

export interface EventFilter {
  /** Unix ms. */
  readonly since?: number;
  readonly kinds?: readonly Kind[];
  readonly session?: string;
  /** Only those with a delivery that is dead or parked. */
  readonly failed?: boolean;
  /** Only after this row, for following. */
  readonly afterRow?: number;
  readonly limit?: number;
}

export interface StoredEvent {
  /** Grows with each event, for following. */
  readonly row: number;
  readonly event: Event;
  readonly verdicts: readonly Verdict[];
  readonly fingerprint: string | null;
}

export interface DeliveryFilter {
  readonly since?: number;
  readonly ids?: readonly string[];
  readonly eventId?: string;
  readonly channel?: string;
  readonly states?: readonly DeliveryState[];
  readonly kinds?: readonly Kind[];
  readonly session?: string;
  /** Unix ms. */
  readonly createdBefore?: number;
  readonly limit?: number;
  /** The list is always oldest first; with a limit it holds the latest ones, or the oldest ones if this is set. */
  readonly fromOldest?: boolean;
}

/** How an attempt changes its delivery. */
export interface Settlement {
  readonly attempt: Attempt;
  readonly state: DeliveryState;
  /** Unix ms of the next try, for pending. */
  readonly due: number;
  readonly lastReason: Reason | null;
  readonly lastError: string | null;
  readonly counters: RetryCounters;
}

/** A channel's health, kept so that a restart does not forget it. */
export interface ChannelHealth {
  readonly channel: string;
  readonly state: 'ok' | 'failing';
  readonly since: number;
  readonly faults: number;
  readonly reason: Reason | null;
  readonly error: string | null;
  /** Unix ms of the next probe while failing. */
  readonly probeAt: number | null;
  /** Unix ms until which the receiver asked for silence (Retry-After); null: none. */
  readonly holdUntil: number | null;
}

/** Counters for metrics and `status`. */
export interface Counts {
  readonly events: number;
  readonly undecided: number;
  readonly deliveries: Readonly<Record<DeliveryState, number>>;
  /** Deliveries pending, leased or parked, of each channel that has any. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly bytes: number;
}

/** Something with an id of its own. */
export interface Identified {
  readonly what: 'event' | 'delivery' | 'session';
  readonly id: string;
}

/** Reads that the command line may do beside a running daemon. */
export interface StoreReader {
  event(id: string): Promise<StoredEvent | null>;
  /** What has an id that begins with `prefix`, at most `limit` of each kind: a person types only the start of an id. */
  beginning(prefix: string, limit: number): Promise<readonly Identified[]>;
  events(filter: EventFilter): Promise<readonly StoredEvent[]>;
  deliveries(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  attempts(deliveryId: string): Promise<readonly Attempt[]>;
  sessions(filter: { readonly since?: number; readonly agent?: string }): Promise<readonly SessionRecord[]>;
  session(agent: string, sessionId: string): Promise<SessionRecord | null>;
  /** Unix ms of each agent's latest event. */
  lastEvents(): Promise<ReadonlyMap<string, number>>;
  silences(now: number): Promise<readonly Silence[]>;
  health(): Promise<readonly ChannelHealth[]>;
  /** Channels that have a delivery pending, leased or parked. */
  unfinishedChannels(): Promise<readonly string[]>;
  counts(): Promise<Counts>;
  close(): Promise<void>;
}

/** Attempts kept of each delivery. */
export const ATTEMPTS_KEPT = 20;

export interface Store extends StoreReader {
  // journal
  /** Durable when it resolves. `known`: an entry of this id was there already, nothing is written. */
  append(entry: JournalEntry): Promise<'new' | 'known'>;
  /** Entries with no decision yet, in order of `startedAt`; fewer than `limit` where they are large, but at least one. */
  pendingEntries(limit: number): Promise<readonly JournalEntry[]>;
  entry(id: string): Promise<JournalEntry | null>;
  /**
   * All or nothing. A decision for an entry decided before changes nothing and says so. An id that was never journaled
   * (a timer's own decision) counts as an entry from then on. An event written before keeps its row; its verdicts grow.
   */
  commitDecision(decision: Decision): Promise<'written' | 'already'>;
  /** The latest event of this fingerprint at or after `since`. */
  byFingerprint(fingerprint: string, since: number): Promise<StoredEvent | null>;

  // outbox
  /** Leases due deliveries of a channel, oldest first: the first unfinished one of each session only, until `now + leaseMs`. */
  claim(channel: string, now: number, leaseMs: number, limit: number): Promise<readonly Delivery[]>;
  /** Records an attempt and the state after it, in one transaction; of a delivery's attempts the latest ATTEMPTS_KEPT stay. */
  settle(deliveryId: string, settlement: Settlement): Promise<void>;
  /** Earliest due time of a pending or lease-expired delivery of a channel; null: none. */
  nextDue(channel: string): Promise<number | null>;
  /** Leases one parked delivery to probe its channel: due by `dueBy`, first unfinished of its session. Null: none. */
  claimParked(channel: string, dueBy: number, now: number, leaseMs: number): Promise<Delivery | null>;
  /** Moves deliveries between states, in one transaction; returns how many. To `pending`: due at once, and what was dead has its retries counted from zero. `last`: why, for people. */
  transition(
    filter: {
      readonly channel?: string;
      readonly ids?: readonly string[];
      readonly from: readonly DeliveryState[];
      readonly createdBefore?: number;
    },
    to: DeliveryState,
    now: number,
    last?: { readonly reason: Reason; readonly error: string },
  ): Promise<number>;
  /** Adds a delivery outside of a decision: a replay. One of this id stays as it is. */
  addDelivery(delivery: Delivery): Promise<void>;
  /** Adds a summary and marks what it covers as folded, in one transaction; returns how many. */
  replaceWithDigest(ids: readonly string[], summary: Delivery): Promise<number>;
  /** The clock was set back: due times written in what is now the future keep their distance from `now`. */
  compensateClock(now: number): Promise<number>;

  // later
  timersDue(now: number, limit: number): Promise<readonly Timer[]>;
  nextTimer(): Promise<number | null>;
  /** `now` lets a clock set back be recognized later. */
  setTimer(timer: Timer, now: number): Promise<void>;
  clearTimer(id: string): Promise<void>;

  // facts
  setHealth(health: ChannelHealth): Promise<void>;
  putSilence(silence: Silence): Promise<void>;
  /** Removes the silences that match; returns how many. */
  removeSilences(match: {
    readonly session?: string;
    readonly cwd?: string;
    readonly channel?: string;
  }): Promise<number>;
  putSession(record: SessionRecord): Promise<void>;
  cursor(key: string): Promise<unknown>;
  setCursor(key: string, value: unknown): Promise<void>;

  // upkeep
  /** Deletes what is older than allowed, oldest first until the size is kept; never an undelivered row. */
  prune(rules: {
    readonly now: number;
    readonly maxAgeMs: number;
    readonly maxBytes: number;
    readonly rawAgeMs: number;
    readonly deadAgeMs: number;
  }): Promise<{ readonly events: number; readonly raws: number; readonly dead: number }>;
}

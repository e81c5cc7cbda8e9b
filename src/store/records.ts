// What a store is given and gives back.
import type {
  Attempt,
  Delivery,
  DeliveryProgress,
  DeliveryState,
  LeasedDelivery,
  Operation,
  PlannedCancel,
  Reason,
  Rehold,
  RetryCounters,
  Rewrite,
} from '../model/delivery/delivery.ts';
import type { Event, Kind, Urgency } from '../model/event/event.ts';
import type { Notification, NotificationState } from '../model/notification/notification.ts';
import type { SessionKey } from '../model/ids.ts';
import type { SessionRecord } from '../model/session/session.ts';
import type { LeasedTimer, Silence, Timer, Verdict } from '../model/event/verdict.ts';

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
  /** Entries of one key, a session's, are decided one after the other. Null, where it could not be known before parsing, is a key as well. */
  readonly orderingKey: string | null;
}

/** Whose rows are, in a store that many machines share. */
export interface Whose {
  /** Its id: what names a row names one of this machine. */
  readonly machine: string;
  /** Who may see them; null: nobody in particular. */
  readonly person: string | null;
  readonly team: string | null;
}

/** All that was decided about one journal entry; written in one transaction, before anything is sent. */
export interface Decision {
  readonly entryId: string;
  /** Absent in a store of one machine. */
  readonly of?: Whose;
  /** Unix ms. */
  readonly at: number;
  /** Events that came of it (mostly one) with their verdicts; a timer's decision may concern an earlier event. */
  readonly events: readonly {
    readonly event: Event;
    readonly fingerprint: string | null;
    readonly verdicts: readonly Verdict[];
  }[];
  /** Notifications, and sessions, as they are to stand, each with the version it was read at. */
  readonly notifications: readonly Notification[];
  /** Taken back or rewritten, before the deliveries are added. */
  readonly cancel: readonly PlannedCancel[];
  readonly rewrite?: readonly Rewrite[];
  /** What is held is held by something else from now on, or by nothing. */
  readonly rehold?: readonly Rehold[];
  readonly deliveries: readonly Delivery[];
  /** Those to clear are cleared first: one may be cleared and set. */
  readonly timers: { readonly set: readonly Timer[]; readonly clear: readonly string[] };
  readonly sessions: readonly SessionRecord[];
}

/** What one decision is about. Times are Unix ms. */
export interface FactsKey {
  /** The machine that the rest is of; absent in a store of one. */
  readonly machine?: string;
  /** The event that it is about, once it is written. */
  readonly eventId: string;
  readonly now: number;
  readonly session: SessionKey | null;
  /** An event of this fingerprint is the same occurrence, at or after `since`. */
  readonly same: { readonly fingerprint: string; readonly since: number } | null;
  /** Other agents than this one may have reported the same of its session since then; the latest `limit`. */
  readonly byOthers: {
    readonly agent: string;
    readonly sessionId: string;
    readonly kind: Kind;
    readonly since: number;
    readonly limit: number;
  } | null;
  /** It matters which sessions this one began, of those that said something since then. */
  readonly children: { readonly since: number } | null;
  /** Open notifications of the session matter if they are of these kinds. */
  readonly ends: readonly Kind[];
  /** Other events of which it matters what became of them, by what was found. */
  readonly events: (found: Pick<DecisionFacts, 'record' | 'same' | 'byOthers'>) => readonly string[];
  /** How far the session's first sends are looked back at; see `plannedSends`. */
  readonly sends: { readonly since: number; readonly least: number; readonly most: number };
}

/** What is known for it. */
export interface DecisionFacts {
  readonly record: SessionRecord | null;
  readonly children: readonly SessionRecord[];
  /** In force. */
  readonly silences: readonly Silence[];
  /** The latest one. */
  readonly same: Event | null;
  /** Oldest first. */
  readonly byOthers: readonly Event[];
  /** The session's notifications that are not over and end with it, oldest first: those of the kinds asked for, and the surplus. */
  readonly open: readonly Notification[];
  /** Ids of the oldest of them all, which give way: none, where one more is not more than a session keeps open. */
  readonly surplus: readonly string[];
  /** The notifications of the event itself and of the others asked for, by id. */
  readonly known: ReadonlyMap<string, Notification>;
  /** How far the deliveries of all these got, in the order in which they were planned. */
  readonly progress: readonly DeliveryProgress[];
  /** The first event of each open notification, by id; without one that is not kept any more. */
  readonly firsts: ReadonlyMap<string, Event>;
  /** The open groups and storms that these are in, oldest first, and their timers by id. */
  readonly groups: readonly Notification[];
  readonly groupTimers: ReadonlyMap<string, Timer>;
  /** When the session's first sends were planned, by channel. */
  readonly plannedSends: ReadonlyMap<string, readonly number[]>;
}

/** Which sessions are read; what is left away does not matter. */
export interface SessionFilter {
  /** Of which the last event was then or later, Unix ms. */
  readonly since?: number;
  /** Only those whose client's process is known. */
  readonly hasProcess?: true;
  readonly agent?: string;
  /** The id of the session that began them. */
  readonly parent?: string;
}

export interface EventFilter {
  /** Unix ms. */
  readonly since?: number;
  readonly kinds?: readonly Kind[];
  readonly session?: string;
  /** Only those with a delivery that is dead or paused. */
  readonly failed?: boolean;
  readonly until?: number;
  readonly urgencies?: readonly Urgency[];
  readonly agents?: readonly string[];
  /** Of any agent but this one. */
  readonly exceptAgent?: string;
  /** Anywhere in the event, whatever the case of its ASCII letters. */
  readonly text?: string;
  /** Only after this row, for following. */
  readonly afterRow?: number;
  /** Only those that a list has before this one, for the page that follows. */
  readonly before?: { readonly at: number; readonly row: number };
  readonly limit?: number;
}

export interface StoredEvent {
  /** Grows with each event, for following. */
  readonly row: number;
  /** Grows with each change of this one. */
  readonly version: number;
  readonly event: Event;
  readonly verdicts: readonly Verdict[];
  readonly fingerprint: string | null;
}

export interface DeliveryFilter {
  readonly since?: number;
  readonly ids?: readonly string[];
  readonly eventId?: string;
  /** The event's own, and those of the groups and digests that it is in. */
  readonly covers?: string;
  readonly notificationId?: string;
  readonly channel?: string;
  readonly states?: readonly DeliveryState[];
  readonly operations?: readonly Operation[];
  readonly step?: number;
  readonly kinds?: readonly Kind[];
  readonly session?: string;
  /** Only those that something holds back; a name: only those it does. */
  readonly heldBy?: string | true;
  /** Whether a digest is to take its place; groups are none. */
  readonly heldForDigest?: boolean;
  readonly scheduled?: boolean;
  /** Unix ms. */
  readonly createdBefore?: number;
  /** Unix ms: only what changed then or later. */
  readonly updatedSince?: number;
  /** Only those that were added before the one of this id. */
  readonly beforeId?: string;
  readonly limit?: number;
  /** The list is always oldest first; with a limit it holds the latest ones, or the oldest ones if this is set. */
  readonly fromOldest?: boolean;
}

/** How an attempt changes its delivery. */
export interface Settlement {
  readonly deliveryId: string;
  /** Of the lease. */
  readonly token: string;
  /** Null: none was made, as it turned out to be pointless. */
  readonly attempt: Attempt | null;
  readonly state: DeliveryState;
  /** Unix ms of the next try, for pending. */
  readonly due: number;
  readonly lastReason: Reason | null;
  readonly lastError: string | null;
  readonly counters: RetryCounters;
  /** Kept when given. */
  readonly receipt?: unknown;
}

/** `gone`: it is not leased with this token any more, and nothing is changed. `followed`: it is recorded, and another of its line waits. */
export type Settled = 'gone' | 'recorded' | 'followed';

/** Why a leased delivery is not tried now, and until when. */
export interface Postponement {
  /** Unix ms. */
  readonly due: number;
  /** Until then a digest may take its place; null: it is only due later. */
  readonly heldBy: string | null;
  /** For people. */
  readonly note: string;
  /** Set with it; null: none. */
  readonly timer: Timer | null;
  /** Unix ms. */
  readonly now: number;
  /** What follows the first send of its notification is moved by so many ms, as long as no channel was sent it; 0: nothing. */
  readonly shiftLater: number;
}

export interface NotificationFilter {
  readonly states?: readonly NotificationState[];
  readonly threadKey?: string;
  readonly kinds?: readonly Kind[];
  readonly ids?: readonly string[];
  /** Only groups and digests that one of these events is in. */
  readonly covers?: readonly string[];
  readonly limit?: number;
}

/** Whose rows a reader gives. `all`: everybody's, as of a laptop, which is one person's; else what is of one of these. */
export type Scope = 'all' | { readonly ofPersons: readonly string[]; readonly ofTeams: readonly string[] };

/** A lease, as it is given back. */
export type Lease = { readonly id: string; readonly token: string };

export interface Change {
  /** Unix ms. */
  readonly at: number;
  readonly type:
    | 'event'
    | 'notification'
    | 'delivery'
    | 'session'
    | 'health'
    | 'question'
    | 'mute'
    | 'machine'
    | 'settings';
  /** Of the row; a session's is its key as one text, a channel's health is the channel's, the machine's and the settings' are empty. */
  readonly id: string;
  /** Whose row it is; absent in a store of one machine. */
  readonly machine?: string;
}

/** What changed since a cursor. */
export interface Changes {
  readonly changes: readonly Change[];
  /** Something since then is not kept any more, or the cursor is none of this store: whoever follows reads everything again. There are no `changes` then. */
  readonly reset: boolean;
  /** Where whoever has read these goes on. Only the store reads it: it is handed back as it is, and neither compared nor counted with. */
  readonly cursor: string;
}

/** A mute as it is kept. */
export interface StoredSilence extends Silence {
  /** Grows with each change. */
  readonly version: number;
}

/** What the person has said of this machine. */
export interface MachineState {
  /** Grows with each change. */
  readonly version: number;
  readonly state: unknown;
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
  readonly pausedUntil: number | null;
}

/** Counters for metrics and `status`. */
export interface Counts {
  readonly events: number;
  readonly undecided: number;
  readonly notifications: Readonly<Record<NotificationState, number>>;
  readonly openQuestions: number;
  readonly deliveries: Readonly<Record<DeliveryState, number>>;
  /** Deliveries pending, leased or paused, of each channel that has any. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly bytes: number;
}

/** What came before is decided before anything of its session goes out. */
export interface Undecided {
  /** Unix ms since when this process decides: whatever came before then is older than all that waits. */
  readonly since: number;
  /** Whether there may be more of any session that is not in the journal yet. */
  readonly unread: boolean;
}

/** A delivery that somebody sends, with what it is judged by first, as that stood when it was leased. */
export interface ClaimedDelivery extends LeasedDelivery {
  /** Of which its notification and its thread are; absent in a store of one. */
  readonly machine?: string;
  /** Its notification; null: it is not kept any more. */
  readonly notification: Notification | null;
  /** All that were set, whether or not they are over. */
  readonly silences: readonly Silence[];
  /** Nothing else of its channel waits, is being sent or is scheduled but what is held. */
  readonly isLast: boolean;
}

/** For how long, and how many at most. */
export interface ClaimOptions {
  /** Unix ms. */
  readonly now: number;
  readonly leaseMs: number;
  readonly limit: number;
}

/** Timers to be handled. */
export interface ClaimedTimers {
  readonly timers: readonly LeasedTimer[];
  /** Unix ms when another one can be claimed: it is due then, or its lease ends; null: there is none. */
  readonly next: number | null;
}

/** An answer from somewhere. */
export interface GivenAnswer {
  readonly id: string;
  readonly nonce: string;
  readonly inputHash: string;
  /** JSON. */
  readonly answer: unknown;
  /** Who and through what, for people. */
  readonly by: string;
  /** Unix ms. */
  readonly now: number;
}

/** What became of an answer that was taken for a question. */
export interface SettledAnswer extends Pick<GivenAnswer, 'id' | 'nonce' | 'by'> {
  /** Why the agent does not have it, for people; null: it has. */
  readonly why: string | null;
}

/** Something with an id of its own. */
export interface Identified {
  readonly what: 'event' | 'notification' | 'question' | 'delivery' | 'session';
  readonly id: string;
}

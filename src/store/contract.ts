// What a store must do. SQLite is one engine; test/contracts/store.ts is the suite every engine passes.
import type { Event } from '../model/event/event.ts';
import type { Attempt, Delivery, DeliveryState, Operation, Reason } from '../model/delivery/delivery.ts';
import type { SessionKey } from '../model/ids.ts';
import type { Notification } from '../model/notification/notification.ts';
import type { DeliveryProgress } from '../model/delivery/planned-delivery.ts';
import type { AnswerResult, NewQuestion, Question, QuestionState } from '../model/question/question.ts';
import type { SessionRecord } from '../model/session/session.ts';
import type { LeasedTimer, Silence, Timer } from '../model/event/verdict.ts';
import type {
  Changes,
  ChannelHealth,
  ClaimedDelivery,
  ClaimOptions,
  Counts,
  Decision,
  DecisionFacts,
  DeliveryFilter,
  EventFilter,
  FactsKey,
  GivenAnswer,
  Identified,
  JournalEntry,
  Lease,
  LeasedEntry,
  NotificationFilter,
  Postponement,
  SessionFilter,
  SettledAnswer,
  Settlement,
  StoredEvent,
  Undecided,
} from './records.ts';

export type * from './records.ts';

/** Reads that the command line may do beside a running daemon. */
export interface StoreReader {
  event(id: string): Promise<StoredEvent | null>;
  /** Those of these ids that are kept, without their verdicts. */
  eventsById(ids: readonly string[]): Promise<ReadonlyMap<string, Event>>;
  /** What has an id that begins with `prefix`, at most `limit` of each kind: a person types only the start of an id. */
  beginning(prefix: string, limit: number): Promise<readonly Identified[]>;
  events(filter: EventFilter): Promise<readonly StoredEvent[]>;
  /** The row of the event that was recorded last, whatever its time; 0: there is none. */
  lastEventRow(): Promise<number>;
  deliveries(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** How far the deliveries of these notifications got, in the order in which they were planned. */
  deliveryProgress(notificationIds: readonly string[]): Promise<readonly DeliveryProgress[]>;
  /** Whether this channel was sent a notification that is still open. */
  sentOpen(channel: string): Promise<boolean>;
  attempts(deliveryId: string): Promise<readonly Attempt[]>;
  sessions(filter: SessionFilter): Promise<readonly SessionRecord[]>;
  session(key: SessionKey): Promise<SessionRecord | null>;
  notification(id: string): Promise<Notification | null>;
  /** Oldest first; with a limit the latest ones. */
  notifications(filter: NotificationFilter): Promise<readonly Notification[]>;
  /** Those of these ids that are set. */
  timers(ids: readonly string[]): Promise<readonly Timer[]>;
  /**
   * When the first sends of a thread since then were planned, Unix ms by channel: those taken back or held for a digest left out. At most
   * `most` of its notifications are looked at, the latest; a thread that has had fewer than `least` is not looked at.
   */
  plannedSends(
    threadKey: string,
    within: { readonly since: number; readonly least: number; readonly most: number },
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  question(id: string): Promise<Question | null>;
  /** Oldest first; the latest ones where there are more than `limit`. */
  questions(filter: {
    readonly states?: readonly QuestionState[];
    readonly limit?: number;
  }): Promise<readonly Question[]>;
  /** What changed after number `seq`, in order; kept for 24 hours. */
  changesSince(seq: number, limit: number): Promise<Changes>;
  /** Unix ms of each agent's latest event. */
  lastEvents(): Promise<ReadonlyMap<string, number>>;
  silences(now: number): Promise<readonly Silence[]>;
  health(): Promise<readonly ChannelHealth[]>;
  /** Channels that have a delivery pending, leased or paused. */
  unfinishedChannels(): Promise<readonly string[]>;
  /** What holds deliveries back that are pending, each with how many. */
  holds(): Promise<ReadonlyMap<string, number>>;
  counts(): Promise<Counts>;
  /** Events of which it is not decided yet whether anybody is notified: those of `counts`, for whoever asks often. */
  undecided(): Promise<number>;
  close(): Promise<void>;
}

/** A list's limit where each one matters. */
export const ALL = Number.MAX_SAFE_INTEGER;
/** Attempts kept of each delivery. */
export const ATTEMPTS_KEPT = 20;
/** Changes are kept so long, ms. */
export const CHANGES_KEPT = 24 * 3_600_000;

/** What became of a decision. */
export type Committed = 'written' | 'already' | 'conflict';

export interface Store extends StoreReader {
  /** Unix ms, the same for all who share the store. */
  now(): number;
  /** Called after every commit of this process that changed something that `changesSince` tells; the returned function ends it. */
  watchChanges(listener: () => void): () => void;

  // journal
  /** Durable when it resolves. `known`: an entry of this id was there already, nothing is written. */
  append(entry: JournalEntry): Promise<'new' | 'known'>;
  /** Entries with no decision yet, in order of `startedAt`; fewer than `limit` where they are large, but at least one. `isAll`: there are no more. */
  pendingEntries(limit: number): Promise<{ readonly entries: readonly JournalEntry[]; readonly isAll: boolean }>;
  entry(id: string): Promise<JournalEntry | null>;
  /**
   * Each all or nothing, in this order, and durable when it resolves; what became of each. A decision for an entry decided before changes nothing and says so. An id that was never journaled
   * (a timer's own decision) counts as an entry from then on. An event written before keeps its row; its verdicts grow.
   * A planned update or retract of a message (a step) that its channel neither was sent nor is about to be, once the cancellations are made, is not written;
   * one whose send is planned for later, and nothing holds, follows it.
   * conflict: a session or notification was written since it was read; nothing is changed, whoever decided reads and decides again.
   */
  commit(decisions: readonly Decision[]): Promise<readonly Committed[]>;
  /** Leases undecided entries in order of `startedAt`, passing over keys of which another owner has one. */
  claimEntries(claim: ClaimOptions): Promise<readonly LeasedEntry[]>;
  /** Gives entries back undecided; returns how many were still leased with these tokens. */
  releaseEntries(leases: readonly Lease[]): Promise<number>;
  /** What each of these decisions needs; a decision of it stands only if nothing of it has changed meanwhile: see `commit`. */
  factsFor(keys: readonly FactsKey[]): Promise<readonly DecisionFacts[]>;

  // outbox
  /**
   * Leases due deliveries of a channel that nothing holds back: the first unfinished one of each line only. Lines in which something urgent
   * waits come first; then they take turns, each from when its first one became due. Scheduled ones that are due take their place in the
   * line. `only`: no others. `except`: ids of those that the caller still sends, whatever became of their leases while the machine slept.
   * `after`: none of a session of which something that came before it is due, or before `since`, is still undecided; what belongs to no
   * session goes. An entry that is not decided within a minute although its turn has come holds up nothing any more.
   */
  claim(
    channel: string,
    claim: ClaimOptions & {
      readonly only?: 'changes';
      readonly except?: readonly string[];
      readonly after?: Undecided;
    },
  ): Promise<readonly ClaimedDelivery[]>;
  /**
   * Records attempts and the states after them, in one transaction; of a delivery's attempts the latest ATTEMPTS_KEPT stay. False, for each:
   * it is not leased with this token any more, and nothing of it is changed.
   */
  settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
  /**
   * Puts a leased delivery off: nothing was tried and no attempt counts; it is scheduled again and holds up nothing behind it. False: it is
   * not leased with this token any more, and nothing is changed.
   */
  postpone(deliveryId: string, token: string, to: Postponement): Promise<boolean>;
  /** Gives back what was claimed and not tried, due at once; returns how many were still leased with these tokens. */
  release(leases: readonly Lease[], now: number): Promise<number>;
  /**
   * Frees deliveries, entries and timers of owners on this machine that have ended; with a channel, its deliveries only, and also those of
   * this process (a worker before). Returns how many.
   */
  reclaimLeases(of: { readonly now: number; readonly channel?: string }): Promise<number>;
  /** Of the latest `send` or `update` of this message that its channel took; null: none was sent, or it gave none. */
  latestReceipt(message: Pick<Delivery, 'notificationId' | 'channel' | 'step'>): Promise<unknown>;
  /** Of the latest `send` that this channel took of a thread, of whatever notification; null: none was sent, or it gave none. */
  latestThreadReceipt(threadKey: string, channel: string): Promise<unknown>;
  /** Earliest due time of a pending, scheduled or lease-expired delivery of a channel that nothing holds back, but for those that the caller still sends; null: none. */
  nextDue(channel: string, except?: readonly string[]): Promise<number | null>;
  /** Leases one paused delivery to probe its channel: due by `dueBy`, first unfinished of its session. Null: none; `undecided`: all wait, as in `claim`. */
  claimPaused(
    channel: string,
    dueBy: number,
    claim: Omit<ClaimOptions, 'limit'> & { readonly after?: Undecided },
  ): Promise<ClaimedDelivery | 'undecided' | null>;
  /**
   * Moves deliveries from other states to this one, some hundreds in one transaction; returns how many. To `pending`: due at once, and what was dead has its retries
   * counted from zero and is not taken back any more, as somebody asked for it. What is scheduled for later neither pauses nor goes on. `last`: why, for people.
   */
  transition(
    filter: {
      readonly channel?: string;
      readonly ids?: readonly string[];
      readonly from: readonly DeliveryState[];
      readonly operations?: readonly Operation[];
      readonly createdBefore?: number;
      /** Due before, Unix ms: what is held or planned for later is not, nor what became due after. */
      readonly dueBefore?: number;
    },
    to: DeliveryState,
    now: number,
    last?: { readonly reason: Reason; readonly error: string },
  ): Promise<number>;
  /** Adds a delivery outside of a decision: a replay. One of this id stays as it is. An update or retract supersedes the unsent updates of its message before it. */
  addDelivery(delivery: Delivery): Promise<void>;
  /** Sends what is held back after all, due at once and whatever happens, as somebody asked for it; returns how many were. */
  releaseHeld(ids: readonly string[], now: number): Promise<number>;
  /** What waits for its person to leave, and would be judged again later, is judged now; returns how many are. */
  judgeAgain(channel: string, now: number): Promise<number>;
  /** A failing channel accepts again: sends paused since before `createdBefore`, Unix ms, are held for this timer where they are more than `few`; returns how many. */
  holdBacklog(
    of: { readonly channel: string; readonly createdBefore: number; readonly few: number; readonly hold: string },
    timer: Timer,
    now: number,
  ): Promise<number>;
  /** The clock was set back: due times written in what is now the future keep their distance from `now`. */
  compensateClock(now: number): Promise<number>;

  // later
  timersDue(now: number, limit: number): Promise<readonly Timer[]>;
  nextTimer(): Promise<number | null>;
  /** `now` lets a clock set back be recognized later. */
  setTimer(timer: Timer, now: number): Promise<void>;
  clearTimer(id: string): Promise<void>;
  /** Leases due timers that nobody handles, earliest first. */
  claimTimers(claim: ClaimOptions): Promise<readonly LeasedTimer[]>;
  /** Clears a timer, or puts the next one in its place. False: it was replaced or claimed by another meanwhile, and nothing is changed. */
  settleTimer(id: string, token: string, next: Timer | null, now: number): Promise<boolean>;

  // facts
  setHealth(health: ChannelHealth): Promise<void>;
  putSilence(silence: Silence): Promise<void>;
  /** Removes the silences that match; returns how many. */
  removeSilences(match: Partial<Readonly<Record<'id' | 'session' | 'cwd' | 'channel', string>>>): Promise<number>;
  /**
   * Sets open and acknowledged notifications that are past their time to expired; returns how many. Never one of which a delivery is
   * unfinished, nor one that waits for its session while that lives, nor a group or a digest while one of its events' own is not over.
   */
  expireNotifications(now: number): Promise<number>;
  /** One of this id stays as it is. `closed`: why nobody can answer it from the first, for people. */
  putQuestion(question: NewQuestion, closed?: string): Promise<'new' | 'known'>;
  /** Puts an open question with the notification that turned out to be its own. False: it was not open. */
  tieQuestion(id: string, notificationId: string): Promise<boolean>;
  /** An open question asks something else now. False: it was not open. */
  changeQuestion(id: string, to: Pick<NewQuestion, 'inputHash' | 'subject'>): Promise<boolean>;
  /** Takes the first answer that knows the nonce and the input, before the deadline. The question stays open until that is settled. */
  answerQuestion(given: GivenAnswer): Promise<AnswerResult>;
  /** The question is answered, or closed and keeps the answer that was tried. False: this one was not its answer, or that was settled. */
  settleAnswer(of: SettledAnswer): Promise<boolean>;
  /** False: it was not open, or an answer to it is on its way. `why`: for people. */
  closeQuestion(id: string, why: string): Promise<boolean>;
  cursor(key: string): Promise<unknown>;
  setCursor(key: string, value: unknown): Promise<void>;

  // upkeep
  /**
   * Deletes what is older than allowed, then of each table what is beyond its share of the size, oldest first; never what is undelivered,
   * open, or of a session that lives. `excess`: bytes above the size that could not go.
   */
  prune(rules: {
    readonly now: number;
    readonly maxAgeMs: number;
    readonly maxBytes: number;
    readonly rawAgeMs: number;
    readonly deadAgeMs: number;
  }): Promise<{ readonly events: number; readonly raws: number; readonly dead: number; readonly excess: number }>;
}

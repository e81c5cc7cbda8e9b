// What may be read of the store, also by the command line beside a running daemon.
import type { Attempt, Delivery, DeliveryProgress } from '../../model/delivery/delivery.ts';
import type { Event } from '../../model/event/event.ts';
import type { Timer } from '../../model/event/verdict.ts';
import type { SessionKey } from '../../model/ids.ts';
import type { Notification } from '../../model/notification/notification.ts';
import type { Question, QuestionState } from '../../model/question/question.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type {
  ChannelHealth,
  Counts,
  DeliveryFilter,
  EventFilter,
  Identified,
  NotificationFilter,
  Scope,
  SessionFilter,
  StoredEvent,
  StoredSilence,
  Undecided,
} from '../records.ts';
import type { ChangeReader } from './changes.ts';

/**
 * Made for whoever reads: an engine that takes a narrower scope than `all` gives nothing beyond it, in no list, count or single row.
 * Lists are oldest first, and hold the latest where there are more than the limit.
 */
export interface StoreReader extends ChangeReader {
  readonly scope: Scope;
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
  /** Unix ms of each agent's latest event. */
  lastEvents(): Promise<ReadonlyMap<string, number>>;
  silences(now: number): Promise<readonly StoredSilence[]>;
  health(): Promise<readonly ChannelHealth[]>;
  /** Channels that have a delivery pending, leased or paused. */
  unfinishedChannels(): Promise<readonly string[]>;
  /** What holds deliveries back that are pending, each with how many. */
  holds(): Promise<ReadonlyMap<string, number>>;
  counts(): Promise<Counts>;
  /** Whether something of a session, or of its family, has come that is not decided yet, as `claim` waits for it. `now`: Unix ms. */
  isBehind(session: SessionKey, after: Undecided, now: number): Promise<boolean>;
  /** Events of which it is not decided yet whether anybody is notified: those of `counts`, for whoever asks often. */
  undecided(): Promise<number>;
  close(): Promise<void>;
}

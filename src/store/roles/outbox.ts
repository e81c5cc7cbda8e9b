// What is to be sent: leased, tried, settled, in order within each line.
import type { Delivery, DeliveryState, Operation, Reason } from '../../model/delivery/delivery.ts';
import type { Timer } from '../../model/event/verdict.ts';
import type {
  ClaimOptions,
  ClaimedDelivery,
  Lease,
  Postponement,
  Settled,
  Settlement,
  Undecided,
  Whose,
} from '../records.ts';

/** Of delivery. */
export interface Outbox {
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
   * Records attempts and the states after them, in one transaction, and says of each what became of it; of a delivery's attempts the latest
   * ATTEMPTS_KEPT stay.
   */
  settle(settlements: readonly Settlement[]): Promise<readonly Settled[]>;
  /**
   * Puts a leased delivery off: nothing was tried and no attempt counts; it is scheduled again and holds up nothing behind it. False: it is
   * not leased with this token any more, and nothing is changed.
   */
  postpone(deliveryId: string, token: string, to: Postponement): Promise<boolean>;
  /** Gives back what was claimed and not tried, due at once; returns how many were still leased with these tokens. */
  release(leases: readonly Lease[], now: number): Promise<number>;
  /** Of the latest `send` or `update` of this message that its channel took; null: none was sent, or it gave none. */
  latestReceipt(
    message: Pick<Delivery, 'notificationId' | 'channel' | 'step'> & Pick<ClaimedDelivery, 'machine'>,
  ): Promise<unknown>;
  /** Of the latest `send` that this channel took of a thread, of whatever notification; null: none was sent, or it gave none. */
  latestThreadReceipt(threadKey: string, channel: string, machine?: string): Promise<unknown>;
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
  addDelivery(delivery: Delivery, of?: Whose): Promise<void>;
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
}

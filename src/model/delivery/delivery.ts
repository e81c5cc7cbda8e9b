// A delivery: one operation of a notification on its way to one channel, how it is planned, and how each attempt ended.
import type { NotificationContent } from '../notification/notification.ts';

/** One operation planned for one channel; the notification it belongs to is named by whoever holds the plan. */
export interface PlannedDelivery
  extends Pick<Delivery, 'channel' | 'operation' | 'step' | 'revision' | 'due' | 'unless' | 'only'> {
  /** What holds it back until it is due; absent: nothing. */
  readonly heldBy?: string;
  /** When it would have gone out, were it not held, Unix ms; absent: it is not. */
  readonly unheldDue?: number;
  /** Of a later step: ms after the first send. */
  readonly after?: number;
  /** It counts from a digest: its first sends are held. */
  readonly afterDigest?: true;
  /** Why, in words: the routes that match, or how the notification was resolved. */
  readonly reason: string;
}

/** What of it is a delivery's own. */
export function rowFields(of: PlannedDelivery) {
  const { reason: _reason, unheldDue: _unheldDue, after: _after, afterDigest: _afterDigest, ...planned } = of;
  return planned;
}

/** Takes back what a notification has unsent; on every channel where none are named. Leased deliveries are in flight and stay. */
export interface PlannedCancel {
  readonly notificationId: string;
  /** resolved and acknowledged: what its `unless` says; superseded: whatever it says. */
  readonly because: 'resolved' | 'acknowledged' | 'superseded';
  readonly channels?: readonly string[];
  /** Only its message of this step; absent: all of them. */
  readonly step?: number;
  /** Where it went instead, for people. */
  readonly note?: string;
}

/** The content that a message gets before anybody tried to send it, and when it goes out. */
export interface Rewrite extends Pick<Delivery, 'notificationId' | 'channel' | 'step' | 'content' | 'due'> {
  /** What is still planned for this time, Unix ms, is due at `due` instead; what something else moved or holds keeps its time. */
  readonly from: number;
}

/** A delivery that is held: `heldBy` from now on, null: by nothing; due then, Unix ms. One that is held no more stays as it is. */
export interface Rehold {
  readonly id: string;
  readonly heldBy: string | null;
  readonly due: number;
}

/** How the note begins of what a digest or a group took the place of; its id follows. */
export const IN_DIGEST = 'in the digest ';
export const IN_GROUP = 'in the group ';

/** What the outbox holds of a notification, without the content. */
export type DeliveryProgress = Pick<
  Delivery,
  | 'notificationId'
  | 'channel'
  | 'operation'
  | 'revision'
  | 'step'
  | 'state'
  | 'scheduled'
  | 'heldBy'
  | 'due'
  | 'unless'
  | 'only'
>;

/** Why a send failed: a closed set. auth, invalid-config and quota concern the channel, client only this delivery. */
export const REASONS = [
  'auth',
  'rate-limited',
  'quota',
  'client',
  'server',
  'timeout',
  'network',
  'invalid-config',
] as const;
export type Reason = (typeof REASONS)[number];

/** How one attempt ended, as the channel classifies it; only the worker decides what follows. */
export type Outcome =
  | {
      readonly ok: true;
      readonly answer?: string;
      readonly status?: number;
      /** What the channel needs to change or take back what it showed; JSON. */
      readonly receipt?: unknown;
    }
  | {
      readonly ok: false;
      readonly reason: Reason;
      /** One line for a person, no secret. */
      readonly error: string;
      /** The receiver's answer, bounded, no secret. */
      readonly answer?: string;
      readonly status?: number;
      /** Milliseconds the receiver asked to wait; with `quota`, until it renews. */
      readonly retryAfter?: number;
      /** The request was written and no answer came: it may have arrived. */
      readonly unknown?: true;
    };

/** pending: due later or now; leased: being sent; paused: channel failing; cancelled: taken back; superseded: in a digest, or replaced by a later one; dead: given up. */
export const DELIVERY_STATES = ['pending', 'leased', 'sent', 'paused', 'cancelled', 'superseded', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** send: show it; update: change what was shown; retract: take it away. */
export type Operation = 'send' | 'update' | 'retract';

/** What takes an unsent delivery back: its notification's resolution, also its acknowledgement, or neither. */
export type Unless = 'resolved' | 'acknowledged' | 'none';

/** Whether it goes out whatever the person does, or only while they are away or idle. */
export const ONLY = ['always', 'away', 'idle'] as const;
export type Only = (typeof ONLY)[number];

/** What the next attempt depends on. */
export interface RetryCounters {
  /** Failures that count against the limit: neither "not now" nor those from before a replay. */
  readonly failures: number;
  /** "Not now" answers in a row. */
  readonly deferrals: number;
  /** Requests of unknown outcome, at a receiver that cannot drop a repeat. */
  readonly unknowns: number;
}

/** Nothing was tried yet, or everything begins again. */
export const NO_RETRIES: RetryCounters = { failures: 0, deferrals: 0, unknowns: 0 };

/** A row of the outbox. */
export interface Delivery extends RetryCounters {
  /** Sent as `webhook-id`: the same on every attempt. */
  readonly id: string;
  readonly notificationId: string;
  /** The notification's first event. */
  readonly eventId: string;
  readonly channel: string;
  /** Order is kept within this key and channel. */
  readonly threadKey: string;
  readonly operation: Operation;
  /** Of the notification's content. */
  readonly revision: number;
  /** 0: the first; later ones are reminders and escalations. */
  readonly step: number;
  readonly content: NotificationContent;
  readonly state: DeliveryState;
  /** Planned for later: it takes its place in the line when it becomes due, and holds up nothing before. */
  readonly scheduled: boolean;
  readonly attempts: number;
  /** Unix ms of the next attempt; while leased, of the lease's end. */
  readonly due: number;
  readonly unless: Unless;
  readonly only: Only;
  /** What holds it back, `quiet` or `mute:ID`; null: nothing. While it is held nobody sends it: a digest takes its place. */
  readonly heldBy: string | null;
  /** Who holds the lease, `host:pid:start`, and the token it is settled with; null while nobody does. */
  readonly owner: string | null;
  readonly token: string | null;
  /** What the channel gave back for it; null: nothing. */
  readonly receipt: unknown;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Last failure, null after success or before the first attempt. */
  readonly lastReason: Reason | null;
  readonly lastError: string | null;
}

/** One that its holder may settle. */
export type LeasedDelivery = Delivery & { readonly token: string };

/** The fields of a first send that nobody has tried yet, due at once; `now`: Unix ms. */
export function newDelivery(now: number) {
  const what = { operation: 'send', revision: 1, step: 0, unless: 'none', only: 'always', scheduled: false } as const;
  const nothing = { heldBy: null, owner: null, token: null, receipt: null, lastReason: null, lastError: null } as const;
  const times = { due: now, createdAt: now, updatedAt: now };
  return { state: 'pending', attempts: 0, ...what, ...NO_RETRIES, ...times, ...nothing } as const;
}

/** One try at a delivery; the latest are kept for `belfry why`. */
export interface Attempt {
  readonly deliveryId: string;
  readonly number: number;
  /** Unix ms when it began. */
  readonly at: number;
  readonly ms: number;
  readonly ok: boolean;
  readonly reason: Reason | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly status: number | null;
  /** What follows: sent, retry in ..., dead, paused. */
  readonly next: string;
}

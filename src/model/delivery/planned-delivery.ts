// What a decision wants done on channels, with the reason, before rows are made of it.
import type { Delivery } from './delivery.ts';

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

// A delivery: one notification on its way to one channel, and how each attempt ended.
import type { Notification } from './notification.ts';

/** Why a send failed: a closed set. auth and invalid-config concern the channel, client only this delivery. */
export const REASONS = ['auth', 'rate-limited', 'client', 'server', 'timeout', 'network', 'invalid-config'] as const;
export type Reason = (typeof REASONS)[number];

/** How one attempt ended, as the channel classifies it; only the worker decides what follows. */
export type Outcome =
  | {
      readonly ok: true;
      readonly answer?: string;
      readonly status?: number /** The channel's own id for it. */;
      readonly receipt?: string;
    }
  | {
      readonly ok: false;
      readonly reason: Reason;
      /** One line for a person, no secret. */
      readonly error: string;
      /** The receiver's answer, bounded, no secret. */
      readonly answer?: string;
      readonly status?: number;
      /** Milliseconds the receiver asked to wait. */
      readonly retryAfter?: number;
      /** The request was written and no answer came: it may have arrived. */
      readonly unknown?: true;
    };

/** pending: due later or now; leased: being sent; parked: channel failing; folded: replaced by a summary or a newer notification; dead: given up. */
export const DELIVERY_STATES = ['pending', 'leased', 'sent', 'parked', 'folded', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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
  readonly eventId: string;
  readonly channel: string;
  /** Order is kept within this key and channel. */
  readonly sessionKey: string;
  readonly notification: Notification;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Unix ms of the next attempt. */
  readonly due: number;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Last failure, null after success or before the first attempt. */
  readonly lastReason: Reason | null;
  readonly lastError: string | null;
}

/** The fields of a delivery that nobody has tried yet; `now`: Unix ms. */
export function newDelivery(now: number) {
  const nothing = { lastReason: null, lastError: null } as const;
  const times = { due: now, createdAt: now, updatedAt: now };
  return { state: 'pending', attempts: 0, ...NO_RETRIES, ...times, ...nothing } as const;
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
  /** What follows: sent, retry in ..., dead, parked. */
  readonly next: string;
}

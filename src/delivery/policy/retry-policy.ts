// What follows an attempt: pure.
import { clockTime } from '../../model/time/clock-time.ts';
import { MAX_ATTEMPTS, retryWait } from '../../lib/retry.ts';
import type { DeliveryState, Outcome, Reason, RetryCounters } from '../../model/delivery/delivery.ts';

/** The channel itself is refused: no delivery would succeed. */
export const needsOperator = (reason: Reason): boolean => reason === 'auth' || reason === 'invalid-config';

/** Nothing can be sent through the channel: it fails at once. A used-up quota renews without anybody's help. */
export const stopsChannel = (reason: Reason): boolean => needsOperator(reason) || reason === 'quota';

/** The receiver or the network fails. */
export const isTransient = (reason: Reason): boolean =>
  reason === 'server' || reason === 'timeout' || reason === 'network';

export interface NextState {
  readonly state: DeliveryState;
  /** Unix ms. */
  readonly due: number;
  /** For `belfry why`. */
  readonly next: string;
  readonly counters: RetryCounters;
}

/** Requests whose answer was lost, at a receiver that cannot drop a repeat: the first is repeated, after the second it is enough. */
const MOST_UNKNOWN = 2;

/**
 * Attempts at a change that nobody misses: it holds up what its session has to say next. While the whole channel fails nothing
 * can go out, and it waits with the others.
 */
const MOST_CHANGES = 3;

/** What else an attempt's end depends on. */
export interface Ended {
  /** Unix ms. */
  readonly now: number;
  /** 0 to 1. */
  readonly random: number;
  /** The channel waits for a probe. */
  readonly failing: boolean;
  /** The receiver drops a repeat by the delivery's id. */
  readonly idempotent: boolean;
  /** What becomes of it when it is given up: a dead letter, or nothing that anybody misses. */
  readonly givenUp: 'dead' | 'cancelled';
}

/** The state after an attempt; `before`: what was counted until then. */
export function nextState(outcome: Outcome, before: RetryCounters, at: Ended): NextState {
  const quiet = { ...before, deferrals: 0 };
  if (outcome.ok) return { state: 'sent', due: at.now, next: 'sent', counters: quiet };
  const { reason, retryAfter } = outcome;
  const dead = (why: string, counters: RetryCounters): NextState => ({
    state: at.givenUp,
    due: at.now,
    next: `${at.givenUp}: ${why}`,
    counters,
  });
  if (reason === 'client') return dead('rejected by the receiver', quiet);
  if (reason === 'rate-limited') {
    const counters = { ...before, deferrals: before.deferrals + 1 };
    const wait = retryWait(counters.deferrals, at.random, retryAfter);
    return { state: 'pending', due: at.now + wait, next: `retry in ${seconds(wait)}, as the receiver asked`, counters };
  }
  // Due at once: when it is tried again is up to the channel, and nothing that it did counts.
  if (reason === 'quota') {
    const when = retryAfter === undefined ? '' : ` at ${clockTime(at.now + retryAfter)}`;
    return { state: 'paused', due: at.now, next: `paused until the quota renews${when}`, counters: quiet };
  }
  const failures = before.failures + 1;
  const unknowns = before.unknowns + (outcome.unknown && !at.idempotent ? 1 : 0);
  const counters = { failures, deferrals: 0, unknowns };
  const wait = retryWait(failures, at.random, retryAfter);
  const due = at.now + wait;
  if (needsOperator(reason)) return { state: 'paused', due, next: 'paused until the channel is fixed', counters };
  if (unknowns >= MOST_UNKNOWN) return dead('it may have arrived, and each retry would show it again', counters);
  const most = at.givenUp === 'cancelled' && !at.failing ? MOST_CHANGES : MAX_ATTEMPTS;
  if (failures >= most) return dead(`given up after ${failures} attempts`, counters);
  if (at.failing) return { state: 'paused', due, next: 'paused until the channel accepts deliveries again', counters };
  return { state: 'pending', due, next: `retry in ${seconds(wait)}`, counters };
}

function seconds(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

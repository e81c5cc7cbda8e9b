// What follows an attempt: pure.
import { MAX_ATTEMPTS, retryWait } from '../lib/retry.ts';
import type { Attempt, DeliveryState, Outcome, Reason } from '../model/delivery.ts';

/** The channel itself refuses: no delivery would pass. */
export const needsOperator = (reason: Reason): boolean => reason === 'auth' || reason === 'invalid-config';

/** The receiver or the way to it is in trouble. */
export const isTransient = (reason: Reason): boolean =>
  reason === 'server' || reason === 'timeout' || reason === 'network';

export interface NextState {
  readonly state: DeliveryState;
  /** Unix ms. */
  readonly due: number;
  /** For `belfry why`. */
  readonly next: string;
}

/** Failures that count against the limit: not those answered "not now", and none from before a replay. */
export function countedFailures(attempts: readonly Attempt[]): number {
  const replayed = attempts.findLastIndex((a) => a.next.startsWith('dead'));
  return attempts.slice(replayed + 1).filter((a) => !a.ok && a.reason !== 'rate-limited').length;
}

/** The state after an attempt that ended at `now`. `earlier`: the attempts before it; `failing`: the channel waits for a probe. */
export function nextState(
  outcome: Outcome,
  earlier: readonly Attempt[],
  at: { readonly now: number; readonly random: number; readonly failing: boolean },
): NextState {
  if (outcome.ok) return { state: 'sent', due: at.now, next: 'sent' };
  const { reason, retryAfter } = outcome;
  if (reason === 'client') return { state: 'dead', due: at.now, next: 'dead: the receiver refuses this one' };
  if (reason === 'rate-limited') {
    const inARow = earlier.length - 1 - earlier.findLastIndex((a) => a.reason !== 'rate-limited');
    const wait = retryWait(inARow + 1, at.random, retryAfter);
    return { state: 'pending', due: at.now + wait, next: `again in ${seconds(wait)}, as the receiver asks` };
  }
  const failures = countedFailures(earlier) + 1;
  const wait = retryWait(failures, at.random, retryAfter);
  if (needsOperator(reason)) return { state: 'parked', due: at.now + wait, next: 'parked until the channel is mended' };
  if (failures >= MAX_ATTEMPTS) return { state: 'dead', due: at.now, next: `dead: ${failures} attempts failed` };
  if (at.failing) return { state: 'parked', due: at.now + wait, next: 'parked until the channel accepts again' };
  return { state: 'pending', due: at.now + wait, next: `again in ${seconds(wait)}` };
}

function seconds(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

// What becomes of an attempt: whether and when it is tried again, and its row. While the disk is full it keeps trying, since what was sent must not be sent again.
import { sleep } from '../../lib/clock.ts';
import type {
  Attempt,
  Delivery,
  DeliveryState,
  LeasedDelivery,
  Outcome,
  Reason,
  RetryCounters,
} from '../../model/delivery/delivery.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Postponement, Settled, Settlement } from '../../store/contract.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import { MAX_ATTEMPTS, retryWait } from '../../lib/retry.ts';

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

/** Ms between tries when the store refuses. */
const AGAIN = 2_000;

export interface OutcomeRecorder {
  /** True: it was sent, and nothing of its line waits. */
  settle(delivery: LeasedDelivery, outcome: Outcome, attempt: AttemptFacts): Promise<boolean>;
  /** Ends one that turned out to be pointless before it was tried. `why`: for people. */
  drop(delivery: LeasedDelivery, state: 'cancelled' | 'superseded', why: string): Promise<void>;
  /** Puts off one that is due and must not go out now. */
  postpone(delivery: LeasedDelivery, to: Omit<Postponement, 'now'>): Promise<void>;
  /** Gives up on what the store refuses. */
  stop(): void;
}

/** What the state after an attempt depends on besides its outcome. */
export interface AttemptFacts extends Pick<Ended, 'idempotent' | 'givenUp' | 'failing'> {
  /** Unix ms. */
  readonly began: number;
  /** Why it went out when it did, for people; null: nothing is to be said. */
  readonly note: string | null;
}

/** What is written of an attempt that was made. Times are Unix ms. */
function settlementOf(
  delivery: LeasedDelivery,
  outcome: Outcome,
  { state, due, next, counters }: NextState,
  { began, now, note }: { readonly began: number; readonly now: number; readonly note: string | null },
): Settlement & { readonly attempt: Attempt } {
  const lastReason = outcome.ok ? null : outcome.reason;
  const lastError = outcome.ok ? null : outcome.error;
  const attempt: Attempt = {
    deliveryId: delivery.id,
    number: delivery.attempts + 1,
    at: began,
    ms: Math.max(0, now - began),
    ok: outcome.ok,
    reason: lastReason,
    error: lastError,
    answer: outcome.answer ?? null,
    status: outcome.status ?? null,
    next,
  };
  const receipt = outcome.ok ? { receipt: outcome.receipt } : {};
  const { id: deliveryId, token } = delivery;
  return { deliveryId, token, attempt, state, due, lastReason, lastError: lastError ?? note, counters, ...receipt };
}

/** Others may listen to what has been settled; their trouble is not the delivery's. */
function announce(delivery: Delivery, attempt: Attempt, { settled, log }: DeliveryDeps): void {
  try {
    settled?.(delivery, attempt);
  } catch (error) {
    log('delivery: an outcome could not be announced', { id: delivery.id, error: String(error) });
  }
}

/** Keeps trying until it is stopped. */
export function createOutcomeRecorder(deps: DeliveryDeps): OutcomeRecorder {
  const { store, clock, log } = deps;
  const giveUp = new AbortController();

  const settleOne = async (settlement: Settlement): Promise<Settled> => (await store.settle([settlement]))[0] ?? 'gone';

  /** Null: the store refused to the end. */
  async function persist<T>(delivery: Delivery, work: () => Promise<T>): Promise<T | null> {
    for (let logged = false; ; logged = true) {
      try {
        return await work();
      } catch (error) {
        if (!logged)
          log('delivery: an outcome cannot be written, trying on', { id: delivery.id, error: String(error) });
        if (giveUp.signal.aborted) return null;
        await sleep(AGAIN, clock, giveUp.signal);
      }
    }
  }

  return {
    settle: async (delivery, outcome, { began, note, ...facts }) => {
      const following = nextState(outcome, delivery, { now: clock.now(), random: deps.random(), ...facts });
      const { attempt, ...settlement } = settlementOf(delivery, outcome, following, {
        began,
        note,
        now: clock.now(),
      });
      const settled = (await persist(delivery, () => settleOne({ attempt, ...settlement }))) ?? 'gone';
      if (settled === 'gone')
        log('delivery: an outcome came after its lease had ended', { id: delivery.id, ok: outcome.ok });
      const { state, due, lastReason, lastError, counters } = settlement;
      announce({ ...delivery, state, due, lastReason, lastError, ...counters }, attempt, deps);
      return settled === 'recorded' && state === 'sent';
    },
    drop: async (delivery, state, why) => {
      const { id: deliveryId, token, failures, deferrals, unknowns } = delivery;
      const counters = { failures, deferrals, unknowns };
      const ended = { attempt: null, state, due: clock.now(), lastReason: null, lastError: why, counters };
      await persist(delivery, () => settleOne({ deliveryId, token, ...ended }));
    },
    postpone: async (delivery, to) => {
      await persist(delivery, () => store.postpone(delivery.id, delivery.token, { ...to, now: clock.now() }));
    },
    stop: () => giveUp.abort(),
  };
}

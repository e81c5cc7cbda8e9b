// Records how an attempt ended; while the disk is full it keeps trying, since what was sent must not be sent again.
import { sleep } from '../../lib/clock.ts';
import type { Attempt, Delivery, LeasedDelivery, Outcome } from '../../model/delivery/delivery.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Postponement, Settled, Settlement } from '../../store/contract.ts';
import { type Ended, type NextState, nextState } from './retry-policy.ts';

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

// Writes down how an attempt ended; while the disk is full it keeps trying, since what was sent must not be sent again.
import type { Attempt, Delivery, Outcome } from '../model/delivery.ts';
import type { DeliveryDeps } from './index.ts';
import { nextState } from './retry-policy.ts';

/** Ms between tries when the store refuses. */
const AGAIN = 2_000;

export interface OutcomeRecorder {
  settle(delivery: Delivery, outcome: Outcome, began: number): Promise<void>;
  /** Gives up on what the store refuses. */
  stop(): void;
}

/** `failing`: whether the channel waits for a probe, after the outcome was noted. */
export function createOutcomeRecorder(deps: DeliveryDeps, failing: () => boolean): OutcomeRecorder {
  const { store, clock, log } = deps;
  const giveUp = new AbortController();

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        giveUp.signal.removeEventListener('abort', end); // a disk may be full for days
        resolve();
      };
      const cancel = clock.setTimer(AGAIN, end);
      giveUp.signal.addEventListener('abort', end);
    });

  async function persist(delivery: Delivery, work: () => Promise<void>): Promise<void> {
    for (let logged = false; ; logged = true) {
      try {
        return await work();
      } catch (error) {
        if (!logged)
          log('delivery: an outcome cannot be written, trying on', { id: delivery.id, error: String(error) });
        if (giveUp.signal.aborted) return;
        await pause();
      }
    }
  }

  return {
    settle: (delivery, outcome, began) => {
      const now = clock.now();
      return persist(delivery, async () => {
        const earlier = outcome.ok ? [] : await store.attempts(delivery.id);
        const next = nextState(outcome, earlier, { now, random: deps.random(), failing: failing() });
        const reason = outcome.ok ? null : outcome.reason;
        const error = outcome.ok ? null : outcome.error;
        const attempt: Attempt = {
          deliveryId: delivery.id,
          number: delivery.attempts + 1,
          at: began,
          ms: Math.max(0, now - began),
          ok: outcome.ok,
          reason,
          error,
          answer: outcome.answer ?? null,
          status: outcome.status ?? null,
          next: next.next,
        };
        const { state, due } = next;
        await store.settle(delivery.id, { attempt, state, due, lastReason: reason, lastError: error });
        deps.settled?.({ ...delivery, state, due, lastReason: reason, lastError: error }, attempt);
      });
    },
    stop: () => giveUp.abort(),
  };
}

// A failing channel: its deliveries wait, and one of them probes it when that is due.
import type { Breaker } from '../policy/breaker.ts';
import { channelFailingEvent, dropResolved } from '../policy/channel-failing.ts';
import { afterUndecided, leaseMs, UNDECIDED_AGAIN } from './claim-due.ts';
import { park, unpark } from '../policy/paused-deliveries.ts';
import { startDelivery } from './send-delivery.ts';
import { LONGEST_SLEEP } from './wake-loop.ts';
import { pausedUntil, type WorkerState } from './worker-state.ts';

/** Probes it, or sleeps until that is due. `now`: Unix ms. */
export async function probeOrWait(state: WorkerState, { health }: Breaker, now: number): Promise<void> {
  const { deps, limiter, direct, inFlight, loop, name } = state;
  const { store } = deps;
  await park(health, deps);
  const at = Math.max(health.probeAt ?? 0, pausedUntil(state));
  if (at > now) return loop.sleep(at - now);
  if (inFlight.size > 0) return; // its end wakes the loop
  await dropResolved(store, now);
  const capacity = limiter.available();
  if (capacity.count === 0) return capacity.waitMs > 0 ? loop.sleep(capacity.waitMs) : undefined;
  const dueBy = state.probeRequested ? Number.MAX_SAFE_INTEGER : now;
  const claim = { now, leaseMs: leaseMs(state), ...afterUndecided(state) };
  const delivery = await direct.after(() => store.claimPaused(name, dueBy, claim));
  if (delivery === 'undecided') {
    direct.serve();
    return loop.sleep(UNDECIDED_AGAIN);
  }
  state.probeRequested = false;
  if (delivery) startDelivery(state, delivery, true);
  direct.serve();
  if (!delivery && (await store.deliveries({ channel: name, states: ['paused'], limit: 1 })).length > 0)
    loop.sleep(LONGEST_SLEEP);
}

/** What follows from a channel that began to fail, or accepts again. */
export async function applyChange(state: WorkerState): Promise<void> {
  const change = state.pendingChange;
  if (change === 'none') return;
  await (change === 'tripped' ? reportFailing(state) : unpark(state.name, state.instances.audience(), state.deps));
  if (state.pendingChange === change) state.pendingChange = 'none';
}

async function reportFailing({ breaker, deps, name }: WorkerState): Promise<void> {
  if (!breaker) return;
  const { health } = breaker;
  deps.log('delivery: channel is failing, its deliveries wait', { channel: name, reason: health.reason });
  await park(health, deps);
  await deps.raise(channelFailingEvent(health));
}

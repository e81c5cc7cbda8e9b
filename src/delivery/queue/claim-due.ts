// Claims what is due at a channel that accepts, as far as its limits allow, and one to probe a channel that did not.
import type { ClaimedDelivery, Store, Undecided } from '../../store/contract.ts';
import { startDelivery } from './send-delivery.ts';
import { isFailing, nowWaits, pausedUntil, type WorkerState } from './worker-state.ts';
import type { Breaker } from '../policy/breaker.ts';
import { channelFailingEvent, dropResolved } from '../policy/channel-failing.ts';
import { park, unpark } from '../policy/paused-deliveries.ts';
import { LONGEST_SLEEP } from './wake-loop.ts';

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

/** Lease time beyond a send's own limit: after it, the owner of the lease has exited. */
const LEASE_MARGIN = 30_000;

/** What is due and waits for a decision is looked at again after this, ms. */
export const UNDECIDED_AGAIN = 100;

export const afterUndecided = ({ deps: { undecided } }: WorkerState): { readonly after?: Undecided } =>
  undecided === undefined ? {} : { after: undecided() };

export const leaseMs = ({ instances }: WorkerState): number => instances.limits().timeoutMs + LEASE_MARGIN;

/** Begins with all that is due and allowed, then sleeps until more is. `now`: Unix ms. */
export async function claimDue(state: WorkerState, now: number): Promise<void> {
  const { deps, limiter, direct, inFlight, loop, name } = state;
  const { store, clock } = deps;
  while (!state.stopped && !isFailing(state) && pausedUntil(state) <= now && state.mayWait !== 'nothing') {
    const capacity = limiter.available();
    const onlyChanges = capacity.count === 0 && state.mayWait === 'anything' && limiter.roomForChange();
    if (capacity.count === 0 && !onlyChanges) return capacity.waitMs > 0 ? loop.sleep(capacity.waitMs) : undefined;
    // After a "not now" one is sent as a probe; the others follow only when it was accepted.
    const cautious = state.breaker?.probing ?? false;
    if (cautious && inFlight.size > 0) return;
    const limit = cautious || onlyChanges ? 1 : capacity.count;
    const except = [...inFlight.keys()];
    const only = onlyChanges ? { only: 'changes' as const } : {};
    const claim = { now, leaseMs: leaseMs(state), limit, except, ...only, ...afterUndecided(state) };
    const claimed = await direct.after(() => claimNow(state, claim));
    await startOrRelease(state, claimed, now);
    direct.serve();
    if (claimed.length === 0 && onlyChanges) return loop.sleep(capacity.waitMs);
    if (claimed.length === 0) {
      const due = await store.nextDue(name, [...inFlight.keys()]);
      return due === null ? undefined : loop.sleep(Math.max(due - clock.now(), due > now ? 0 : UNDECIDED_AGAIN));
    }
  }
}

/** What is written while the claim is under way counts as written after it. */
async function claimNow(state: WorkerState, claim: Parameters<Store['claim']>[1]): Promise<readonly ClaimedDelivery[]> {
  state.mayWait = 'nothing';
  let isLast = false;
  try {
    const claimed = await state.deps.store.claim(state.name, claim);
    isLast = claimed.some((delivery) => delivery.isLast);
    return claimed;
  } finally {
    if (!isLast) nowWaits(state, 'anything');
  }
}

/** Changed settings may have narrowed the limits meanwhile: what has no place goes back. */
async function startOrRelease(state: WorkerState, claimed: readonly ClaimedDelivery[], now: number): Promise<void> {
  const { limiter } = state;
  const early: ClaimedDelivery[] = [];
  for (const delivery of claimed)
    if (limiter.available().count > 0 || (delivery.operation !== 'send' && limiter.roomForChange()))
      startDelivery(state, delivery, false);
    else early.push(delivery);
  if (early.length === 0) return;
  nowWaits(state, 'anything');
  await state.deps.store.release(early, now);
}

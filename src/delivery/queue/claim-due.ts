// Claims what is due at a channel that accepts, as far as its limits allow, and one to probe a channel that did not; and makes an attempt at each.
import type { LeasedDelivery } from '../../model/delivery/delivery.ts';
import type { ClaimedDelivery, Store, Undecided } from '../../store/contract.ts';
import type { LimiterPlace } from '../channel/accounts.ts';
import { attempt, outgoingMessage } from '../channel/attempt.ts';
import { judgeDelivery, judgeDue } from '../policy/judge-delivery.ts';
import { needsOperator } from '../policy/record-outcome.ts';
import { isFailing, nowWaits, pausedUntil, unkeptChange, type WorkerState } from './worker-state.ts';
import type { Breaker } from '../policy/breaker.ts';
import { channelFailingEvent, dropResolved } from '../policy/channel-failing.ts';
import { logUndelivered, park, unpark } from '../policy/paused-deliveries.ts';
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

/** Takes a place of the limiter and begins. What ends wakes the worker. */
function startDelivery(state: WorkerState, delivery: ClaimedDelivery, probe: boolean): void {
  const { inFlight, limiter, deps, name, loop } = state;
  const place = limiter.acquire(delivery.operation !== 'send');
  const work = sendDelivery(state, delivery, probe, place)
    .catch((error: unknown) => {
      deps.log('delivery: an attempt broke off', { channel: name, error: String(error) });
      return false;
    })
    .then((isSent) => {
      if (!isSent) nowWaits(state, 'anything');
      place.end();
      inFlight.delete(delivery.id);
      loop.wake();
    });
  inFlight.set(delivery.id, work);
}

/** True: it was sent, and nothing of its line waits. */
async function sendDelivery(
  state: WorkerState,
  delivery: ClaimedDelivery,
  probe: boolean,
  place: LimiterPlace,
): Promise<boolean> {
  const { deps, instances, recorder, account, cancelled, name } = state;
  const { store, clock, log } = deps;
  const audience = instances.audience();
  const { idempotent, thread, buttons, receive, ...can } = instances.capabilities();
  const judgement = await judgeDelivery(delivery, { audience, can }, store);
  if ('drop' in judgement) {
    place.unused();
    await recorder.drop(delivery, judgement.drop, judgement.why);
    return false;
  }
  const due = await judgeDue(delivery, recorder, deps);
  if (!due.goesOut) {
    place.unused();
    return false;
  }
  const began = clock.now();
  const { resolution, operation } = judgement;
  const threadReceipt = thread ? await store.latestThreadReceipt(delivery.threadKey, name) : null;
  const listens = buttons && receive && operation !== 'retract';
  const acknowledgeWith = (listens && deps.inbound?.acknowledgeWith(name, delivery.notificationId)) || null;
  const offered = listens ? (deps.inbound?.goOnWith(name, delivery) ?? null) : null;
  const goOn = offered === null ? [] : await offered;
  const showWith = (listens && deps.inbound?.showWith(name, delivery)) || null;
  const asked = await deps.inbound?.showQuestion(name, delivery, buttons && receive && can.update);
  const { question = null, note = null, settled = null } = asked ?? {};
  // What is over waits nowhere.
  const where = resolution?.state === 'resolved' ? null : note;
  const message = outgoingMessage(withNote({ ...delivery, operation }, where), {
    threadReceipt,
    acknowledgeWith,
    goOn,
    showWith,
    question,
    resolution: settled === null ? resolution : { state: 'resolved', at: began, ...resolution, why: settled },
  });
  const outcome = await attempt(instances, { message, receipt: judgement.receipt }, clock, cancelled.signal);
  // Stays leased: the next start sends it again. Where a repeat would show, it has to count first.
  if (cancelled.signal.aborted && !outcome.ok && (idempotent || !outcome.unknown)) return false;
  const before = isFailing(state);
  const recorded = state.breaker?.record(outcome, delivery, probe);
  const change = (await recorded?.catch((error: unknown) => unkeptChange(state, error, before))) ?? 'none';
  account.report(outcome);
  // A change that nobody sees is no loss to people; a record misses it.
  const givenUp = delivery.operation === 'send' || audience === 'records' ? 'dead' : 'cancelled';
  const facts = { began, idempotent, givenUp, note: due.note, failing: isFailing(state) } as const;
  const isSent = await recorder.settle(delivery, outcome, facts);
  if (!outcome.ok && needsOperator(outcome.reason) && delivery.attempts === 0 && delivery.operation === 'send')
    logUndelivered(delivery, outcome.error, log);
  if (change !== 'none') state.pendingChange = change; // the turn after its end does it
  return isSent;
}

function withNote(delivery: LeasedDelivery, note: string | null): LeasedDelivery {
  if (note === null) return delivery;
  const { content } = delivery;
  return { ...delivery, content: { ...content, body: [content.body, note].filter((part) => part !== '').join('\n') } };
}

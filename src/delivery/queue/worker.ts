// The worker of one channel: claims what is due, sends, settles; sleeps until the earliest due time or until woken.
import { settledWithin } from '../../lib/async/settled-within.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { AccountNews, Accounts } from '../channel/accounts.ts';
import { applyChange, claimDue, probeOrWait } from './claim-due.ts';
import { type Breaker, createBreaker } from '../policy/breaker.ts';
import type { ConfiguredChannel } from '../channel/configured-channel.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { DirectSender } from './direct-queue.ts';
import { sendDirect } from './send-direct.ts';
import {
  createWorkerState,
  logUnkept,
  nowWaits,
  pausedUntil,
  unkeptChange,
  type WorkerState,
  type WrittenRows,
} from './worker-state.ts';
import { channelFailingEvent } from '../policy/channel-failing.ts';

export interface Worker {
  /** Something was written for its channel. */
  wake(written: WrittenRows): void;
  /** A failing channel is tried at once. */
  probe(): void;
  configure(configured: ConfiguredChannel): void;
  /** Sends bypassing the outbox, once the limits allow it; not while the receiver asked to wait. A failing channel that accepts is tried again at once. */
  sendDirect(message: OutgoingMessage, by: DirectSender): Promise<Outcome>;
  /** True when nothing is being sent. */
  readonly idle: boolean;
  /** Claims nothing more; what is in flight may end within `graceMs`, then it is cancelled and left leased. */
  stop(graceMs: number): Promise<void>;
}

/** A step back of the clock worth acting on, ms. */
const BACKWARD = 1_000;

/** Starts the worker of one channel. */
export function startWorker(first: ConfiguredChannel, deps: DeliveryDeps, accounts: Accounts): Worker {
  const state: WorkerState = createWorkerState(first, deps, (configuredNow) =>
    accounts.join(configuredNow, (news) => takeNews(state, news)),
  );
  const { loop, direct, instances, inFlight, running, name } = state;
  loop.start({
    woken: direct.serve,
    turn: () => turn(state),
    failed: (error) =>
      deps.log('delivery: the store is in trouble, trying again', { channel: name, error: String(error) }),
  });
  return {
    wake: (written) => {
      nowWaits(state, written);
      loop.wake();
    },
    probe: () => probe(state),
    configure: (next) => {
      if (instances.configure(next)) for (const work of running) work.restart();
    },
    sendDirect: (message, by) => direct.add(() => startDirect(state, message, by)).finally(loop.wake),
    get idle() {
      return inFlight.size === 0 && !loop.running;
    },
    stop: (graceMs) => stop(state, graceMs),
  };
}

async function turn(state: WorkerState): Promise<void> {
  const breaker = state.breaker ?? (await resume(state.name, state.deps));
  state.breaker = breaker;
  const now = state.deps.clock.now();
  if (now < state.lastNow - BACKWARD) {
    await state.deps.store.compensateClock(now);
    await breaker.shiftClock(state.lastNow - now);
  }
  state.lastNow = now;
  await takeUsedUpQuota(state, breaker);
  await applyChange(state);
  const hold = pausedUntil(state);
  if (breaker.failing) await probeOrWait(state, breaker, now);
  else if (hold > now) state.loop.sleep(hold - now);
  else await claimDue(state, now);
}

/** The quota of its account is used up, as another channel was answered: it need not ask for itself. */
async function takeUsedUpQuota(state: WorkerState, breaker: Breaker): Promise<void> {
  const usedUp = breaker.failing ? null : state.account.usedUp();
  if (usedUp === null) return;
  const recorded = breaker.record(usedUp, { threadKey: '' }, false);
  const change = await recorded.catch((error: unknown) => unkeptChange(state, error, false));
  if (change !== 'none') state.pendingChange = change;
}

/** What another channel of its account was answered. */
function takeNews(state: WorkerState, news: AccountNews): void {
  if (news === 'accepts' && state.breaker?.health.reason === 'quota') probe(state);
  else state.loop.wake();
}

function probe(state: WorkerState): void {
  const { breaker, loop, deps } = state;
  state.probeRequested = breaker?.failing ?? false;
  if (breaker?.failing)
    void breaker.probeAt(deps.clock.now()).then(loop.wake, (error: unknown) => logUnkept(state, error));
  else loop.wake();
}

function startDirect(state: WorkerState, message: OutgoingMessage, by: DirectSender): Promise<Outcome> {
  const { name, instances, breaker, account, deps, inFlight, cancelled } = state;
  const work = sendDirect(message, by, {
    name,
    instances,
    breaker,
    account,
    deps,
    probe: () => probe(state),
    logged: (error) => logUnkept(state, error),
    cancel: cancelled.signal,
    changed: (change) => {
      state.pendingChange = change;
    },
  }).finally(() => inFlight.delete(message.id));
  const ended = work.then(() => undefined); // never rejects
  inFlight.set(message.id, ended);
  return work;
}

async function stop(state: WorkerState, graceMs: number): Promise<void> {
  const { loop, direct, inFlight, cancelled, recorder, running, instances, account, deps } = state;
  state.stopped = true;
  account.leave();
  direct.stop();
  await loop.stop();
  if (graceMs > 0) await settledWithin([...inFlight.values()], graceMs, deps.clock);
  cancelled.abort();
  recorder.stop();
  await Promise.all(running.map((work) => work.stop()));
  await Promise.allSettled(inFlight.values());
  await instances.close();
}

/** Begins with what a process before this one left: leases of those who have ended are void, and paused deliveries whose channel recovered go on. Throws when the store is in trouble: then it has to be called again. */
async function resume(channel: string, { store, clock, raise }: DeliveryDeps): Promise<Breaker> {
  const found = await createBreaker(channel, store, clock);
  const now = clock.now();
  await store.compensateClock(now);
  await store.reclaimLeases({ channel, now });
  if (!found.failing) await store.transition({ channel, from: ['paused'] }, 'pending', now);
  if (found.failing) await raise(channelFailingEvent(found.health));
  return found;
}

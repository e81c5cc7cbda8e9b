// The worker of one channel: claims what is due, sends, settles; sleeps until the earliest due time or until woken.
import { setMaxListeners } from 'node:events';
import { settledWithin } from '../lib/settled-within.ts';
import type { OutgoingMessage } from '../model/channel.ts';
import type { LeasedDelivery, Outcome } from '../model/delivery.ts';
import { attempt } from './attempt.ts';
import { type Breaker, type BreakerChange, changeBetween } from './breaker.ts';
import { createChannelInstances } from './channel-instance.ts';
import type { ConfiguredChannel } from './configured-channel.ts';
import { channelFailingEvent, dropResolved } from './channel-failing.ts';
import type { DeliveryDeps } from './deps.ts';
import { createDirectSends, type DirectSender } from './direct.ts';
import { createLimiter } from './limiter.ts';
import { earlierReceipt, outgoingMessage } from './outgoing-message.ts';
import { logUndelivered, park, unpark } from './paused.ts';
import { resume } from './resume.ts';
import { sendDirect } from './send-direct.ts';
import { createOutcomeRecorder } from './record-outcome.ts';
import { needsOperator } from './retry-policy.ts';

export interface Worker {
  wake(): void;
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

/** Lease time beyond a send's own limit: after it, the owner of the lease has exited. */
const LEASE_MARGIN = 30_000;
/** Longest sleep while something waits, ms: a suspended machine's timers are late. */
const LONGEST_SLEEP = 300_000;
/** Pause after a store error, ms. */
const TROUBLE = 2_000;
/** A step back of the clock worth acting on, ms. */
const BACKWARD = 1_000;

/** Starts the worker of one channel. */
export function startWorker(first: ConfiguredChannel, deps: DeliveryDeps): Worker {
  const { store, clock, log } = deps;
  const { name } = first;
  const inFlight = new Map<string, Promise<void>>();
  const cancelled = new AbortController();
  setMaxListeners(0, cancelled.signal); // one per running send
  const recorder = createOutcomeRecorder(deps, () => breaker?.failing ?? false);
  const instances = createChannelInstances(first, deps);
  const limiter = createLimiter(instances.limits, clock, wake);
  const direct = createDirectSends(limiter, clock);
  let breaker: Breaker | undefined;
  let again = false;
  let busy = false;
  let ticking: Promise<void> | undefined;
  let stopped = false;
  /** A probe was asked for: it need not be due. */
  let probeRequested = false;
  /** What follows from an outcome; kept until the store has taken it. */
  let pendingTransition: BreakerChange = 'none';
  let cancelSleep = (): void => undefined;
  let lastNow = clock.now();

  function wake(): void {
    direct.serve();
    again = true;
    if (!busy && !stopped) ticking = run();
  }

  const sleep = (ms: number): void => {
    cancelSleep();
    cancelSleep = clock.setTimer(Math.min(Math.max(ms, 0), LONGEST_SLEEP), wake);
  };

  async function run(): Promise<void> {
    busy = true;
    while (again && !stopped) {
      again = false;
      cancelSleep();
      try {
        await tick();
      } catch (error) {
        log('delivery: the store is in trouble, trying again', { channel: name, error: String(error) });
        again = false;
        sleep(TROUBLE);
      }
    }
    busy = false; // in the same step as the last check of `again`, or a wake between them would be lost
  }

  async function tick(): Promise<void> {
    breaker ??= await resume(name, deps);
    const now = clock.now();
    if (now < lastNow - BACKWARD) {
      await store.compensateClock(now);
      await breaker.shiftClock(lastNow - now);
    }
    lastNow = now;
    await applyTransition();
    const hold = breaker.health.pausedUntil ?? 0;
    if (breaker.failing) await probeOrWait(breaker, now, hold);
    else if (hold > now) sleep(hold - now);
    else await sendDue(now);
  }

  async function sendDue(now: number): Promise<void> {
    while (!stopped && !breaker?.failing && (breaker?.health.pausedUntil ?? 0) <= now) {
      const capacity = limiter.available();
      if (capacity.count === 0) {
        if (capacity.waitMs > 0) sleep(capacity.waitMs);
        return;
      }
      // After a "not now" one is sent as a probe; the others follow only when it was accepted.
      const cautious = breaker?.probing ?? false;
      if (cautious && inFlight.size > 0) return;
      const claimed = await direct.after(() =>
        store.claim(name, { now, leaseMs: leaseMs(), limit: cautious ? 1 : capacity.count }),
      );
      // Changed settings may have narrowed the limits meanwhile: what has no slot goes back.
      const early: LeasedDelivery[] = [];
      for (const delivery of claimed)
        if (limiter.available().count > 0) start(delivery, false);
        else early.push(delivery);
      if (early.length > 0) await store.release(early, now);
      direct.serve();
      if (claimed.length === 0) {
        const due = await store.nextDue(name);
        if (due !== null) sleep(due - clock.now());
        return;
      }
    }
  }

  async function probeOrWait(health: Breaker, now: number, hold: number): Promise<void> {
    await park(health.health, deps);
    const at = Math.max(health.health.probeAt ?? 0, hold);
    if (at > now) return sleep(at - now);
    if (inFlight.size > 0) return; // its end wakes the loop
    await dropResolved(store, now);
    const capacity = limiter.available();
    if (capacity.count === 0) return capacity.waitMs > 0 ? sleep(capacity.waitMs) : undefined;
    const dueBy = probeRequested ? Number.MAX_SAFE_INTEGER : now;
    const delivery = await direct.after(() => store.claimPaused(name, dueBy, { now, leaseMs: leaseMs() }));
    probeRequested = false;
    if (delivery) start(delivery, true);
    direct.serve();
    if (!delivery && (await store.deliveries({ channel: name, states: ['paused'], limit: 1 })).length > 0)
      sleep(LONGEST_SLEEP);
  }

  const leaseMs = (): number => instances.limits().timeoutMs + LEASE_MARGIN;

  function start(delivery: LeasedDelivery, probe: boolean): void {
    if (inFlight.has(delivery.id)) return; // its lease ran out while it is still being sent or settled here
    const done = limiter.acquire();
    const work = send(delivery, probe)
      .catch((error: unknown) => log('delivery: an attempt broke off', { channel: name, error: String(error) }))
      .finally(() => {
        done();
        inFlight.delete(delivery.id);
        wake();
      });
    inFlight.set(delivery.id, work);
  }

  async function send(delivery: LeasedDelivery, probe: boolean): Promise<void> {
    const began = clock.now();
    const { idempotent } = instances.capabilities();
    const message = outgoingMessage(delivery);
    const earlier = await earlierReceipt(delivery, store);
    const outcome = await attempt(instances, { message, receipt: earlier }, clock, cancelled.signal);
    // Stays leased: the next start sends it again. Where a repeat would show, it has to count first.
    if (cancelled.signal.aborted && !outcome.ok && (idempotent || !outcome.unknown)) return;
    const failing = breaker?.failing ?? false;
    const change = (await breaker?.record(outcome, delivery, probe).catch((error) => unkept(error, failing))) ?? 'none';
    await recorder.settle(delivery, outcome, { began, idempotent });
    if (!outcome.ok && needsOperator(outcome.reason) && delivery.attempts === 0)
      logUndelivered(delivery, outcome.error, log);
    if (change !== 'none') pendingTransition = change; // the turn after its end does it
  }

  function startNow(message: OutgoingMessage, by: DirectSender): Promise<Outcome> {
    const work = sendDirect(message, by, {
      ...{ name, instances, breaker, deps, probe, logged },
      cancel: cancelled.signal,
      changed: (change) => {
        pendingTransition = change;
      },
    }).finally(() => inFlight.delete(message.id));
    inFlight.set(
      message.id,
      work.then(() => undefined),
    ); // never rejects
    return work;
  }

  function probe(): void {
    probeRequested = breaker?.failing ?? false;
    if (breaker?.failing) void breaker.probeAt(clock.now()).then(wake, logged);
    else wake();
  }

  const logged = (error: unknown): void =>
    log('delivery: the state of a channel could not be kept', { channel: name, error: String(error) });

  /** The state in memory has changed even so. */
  function unkept(error: unknown, before: boolean): BreakerChange {
    logged(error);
    return changeBetween(before, breaker?.failing ?? before);
  }

  async function applyTransition(): Promise<void> {
    const change = pendingTransition;
    if (change === 'none') return;
    await (change === 'tripped' ? tripped() : unpark(name, deps));
    if (pendingTransition === change) pendingTransition = 'none';
  }

  async function tripped(): Promise<void> {
    if (!breaker) return;
    const { health } = breaker;
    log('delivery: channel is failing, its deliveries wait', { channel: name, reason: health.reason });
    await park(health, deps);
    await deps.raise(channelFailingEvent(health));
  }

  wake();
  return {
    wake,
    probe,
    configure: instances.configure,
    sendDirect: (message, by) => direct.add(() => startNow(message, by)).finally(wake),
    get idle() {
      return inFlight.size === 0 && !busy;
    },
    stop: async (graceMs: number) => {
      stopped = true;
      cancelSleep();
      direct.stop();
      await ticking;
      if (graceMs > 0) await settledWithin([...inFlight.values()], graceMs, clock);
      cancelled.abort();
      recorder.stop();
      await Promise.allSettled(inFlight.values());
      await instances.close();
    },
  };
}

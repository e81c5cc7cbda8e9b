// The one clock loop: sleeps until the earliest timer row is due and hands it to the handler of its kind. No handler waits for another.
import type { Clock } from '../../lib/clock.ts';
import type { LeasedTimer, TimerHandler } from '../../model/event/verdict.ts';
import { type Store, TIMER_LEASE_MS } from '../../store/contract.ts';

export interface SchedulerDeps {
  readonly store: Pick<Store, 'claimTimers' | 'settleTimer' | 'reclaimLeases' | 'compensateClock'>;
  readonly clock: Clock;
  /** By kind. */
  readonly handlers: Readonly<Record<string, TimerHandler>>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface Scheduler {
  start(): void;
  /** Rows were added or changed. */
  wake(): void;
  /** Resolves when no handler is running and nothing is being claimed. */
  idle(): Promise<void>;
  /** Waits for the handlers that are running and starts no more. */
  stop(): Promise<void>;
}

/** Longest sleep, so that a clock set forward or back is noticed; ms. */
const MAX_SLEEP_MS = 60_000;
/** A row that its handler left unchanged is tried again after this; ms. */
const RETRY_MS = 60_000;
/** Timers in flight at most. */
const MAX_IN_FLIGHT = 100;
/** A step back of the clock worth acting on, ms. */
const BACKWARD = 1_000;

class ClockLoop implements Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #inFlight = new Map<string, Promise<void>>();
  #cancel: () => void = () => undefined;
  #ticking: Promise<void> | null = null;
  /** Woken while it was ticking. */
  #again = false;
  #stopped = false;
  /** What processes that have ended were handling is due again: once. */
  #reclaimed = false;
  /** At the start every row may be of a time that is now the future. */
  #lastNow = Number.POSITIVE_INFINITY;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.wake();
  }

  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (this.#ticking === null) this.#run();
  }

  #run(): void {
    this.#cancel();
    this.#again = false;
    this.#ticking = this.#tick()
      .catch((error: unknown) => {
        this.#deps.log('timers cannot be read; looked at again', { error: String(error) });
        this.#sleep(RETRY_MS);
      })
      .finally(() => {
        this.#ticking = null;
        if (this.#again) this.wake();
      });
  }

  async idle(): Promise<void> {
    while (this.#ticking !== null || this.#inFlight.size > 0)
      await Promise.all([this.#ticking, ...this.#inFlight.values()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.idle();
    this.#cancel();
  }

  async #tick(): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    if (!this.#reclaimed) await store.reclaimLeases({ now });
    this.#reclaimed = true;
    if (now < this.#lastNow - BACKWARD) await store.compensateClock(now);
    this.#lastNow = now;
    const limit = MAX_IN_FLIGHT - this.#inFlight.size;
    if (limit === 0) return; // the end of one wakes
    const claim = { now, leaseMs: TIMER_LEASE_MS, limit, except: [...this.#inFlight.keys()] };
    const { timers, next } = await store.claimTimers(claim);
    if (this.#stopped) {
      await Promise.all(timers.map(({ token, ...timer }) => store.settleTimer(timer.id, token, timer, now)));
      return;
    }
    for (const timer of timers) this.#begin(timer);
    if (next !== null) this.#sleep(Math.min(Math.max(0, next - clock.now()), MAX_SLEEP_MS));
  }

  #sleep(ms: number): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.setTimer(ms, () => this.wake());
  }

  #begin(timer: LeasedTimer): void {
    const work = this.#fire(timer).finally(() => {
      this.#inFlight.delete(timer.id);
      this.wake();
    });
    this.#inFlight.set(timer.id, work);
  }

  /** A row left as it was is moved on, so that the loop never spins. */
  async #fire({ token, ...timer }: LeasedTimer): Promise<void> {
    const { store, clock, handlers, log } = this.#deps;
    try {
      const handler = handlers[timer.kind];
      if (handler) await handler(timer);
      else log('no handler for a timer of this kind', { kind: timer.kind, timer: timer.id });
    } catch (error) {
      log('a timer failed; it is tried again', { timer: timer.id, error: String(error) });
    }
    try {
      const now = clock.now();
      await store.settleTimer(timer.id, token, { ...timer, due: now + RETRY_MS }, now);
    } catch (error) {
      log('a timer cannot be moved on; it is tried again', { timer: timer.id, error: String(error) });
    }
  }
}

/** Builds the loop; it does not tick while there are no timers. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  return new ClockLoop(deps);
}

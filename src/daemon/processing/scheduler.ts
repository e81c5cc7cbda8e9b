// The one clock loop: sleeps until the earliest timer row is due and hands it to the handler of its kind. No handler waits for another.
import type { Clock } from '../../lib/clock.ts';
import type { Timer, TimerHandler } from '../../model/event/verdict.ts';
import type { Store } from '../../store/contract.ts';

export interface SchedulerDeps {
  readonly store: Pick<Store, 'timersDue' | 'setTimer' | 'compensateClock'>;
  readonly clock: Clock;
  /** By kind. */
  readonly handlers: Readonly<Record<string, TimerHandler>>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface Scheduler {
  start(): void;
  /** Rows were added or changed. */
  wake(): void;
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
  /** Rows handled since the last poll, with their due times: one that still has the same due time was left unchanged by its handler. */
  #seen = new Map<string, number>();
  #cancel: () => void = () => undefined;
  #ticking: Promise<void> | null = null;
  /** Woken while it was ticking. */
  #again = false;
  #stopped = false;
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
    if (this.#ticking !== null) return;
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

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#ticking;
    this.#cancel();
    await Promise.all(this.#inFlight.values());
  }

  async #tick(): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    if (now < this.#lastNow - BACKWARD) await store.compensateClock(now);
    this.#lastNow = now;
    await this.#beginDue();
    if (this.#stopped || this.#inFlight.size >= MAX_IN_FLIGHT) return; // the end of one wakes
    const rows = await store.timersDue(Number.MAX_SAFE_INTEGER, this.#inFlight.size + 1);
    const next = rows.find(({ id }) => !this.#inFlight.has(id));
    if (next === undefined || this.#stopped) return;
    this.#sleep(Math.min(Math.max(0, next.due - clock.now()), MAX_SLEEP_MS));
  }

  #sleep(ms: number): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.setTimer(ms, () => this.wake());
  }

  /** Due rows that have no handler running. A row left as it was is moved on, so that the loop never spins. */
  async #beginDue(): Promise<void> {
    const { store, clock } = this.#deps;
    const before = this.#seen;
    this.#seen = new Map();
    const due = await store.timersDue(clock.now(), MAX_IN_FLIGHT + this.#inFlight.size);
    for (const timer of due.filter(({ id }) => !this.#inFlight.has(id))) {
      if (this.#stopped || this.#inFlight.size >= MAX_IN_FLIGHT) return;
      if (this.#seen.get(timer.id) === timer.due) continue; // finished while the rows were read: left to the next poll
      if (before.get(timer.id) !== timer.due) this.#begin(timer);
      else await store.setTimer({ ...timer, due: clock.now() + RETRY_MS }, clock.now());
    }
  }

  #begin(timer: Timer): void {
    const work = this.#fire(timer).finally(() => {
      this.#inFlight.delete(timer.id);
      this.#seen.set(timer.id, timer.due);
      this.wake();
    });
    this.#inFlight.set(timer.id, work);
  }

  async #fire(timer: Timer): Promise<void> {
    const { handlers, log } = this.#deps;
    try {
      const handler = handlers[timer.kind];
      if (handler) await handler(timer);
      else log('no handler for a timer of this kind', { kind: timer.kind, timer: timer.id });
    } catch (error) {
      log('a timer failed; it is tried again', { timer: timer.id, error: String(error) });
    }
  }
}

/** Builds the loop; it does not tick while there are no timers. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  return new ClockLoop(deps);
}

// The one clock loop: sleeps until the earliest timer row is due and hands it to the handler of its kind. No handler waits for another.
import type { Clock } from '../lib/clock.ts';
import type { Timer } from '../model/verdict.ts';
import type { Store } from '../store/contract.ts';

/** Handles one due timer. Clears or moves its row itself; a row left as it was is tried again a minute later. */
export type TimerHandler = (timer: Timer) => Promise<void>;

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
const MOST = 100;
/** A step back of the clock worth acting on, ms. */
const BACKWARD = 1_000;

/** Builds the loop; it does not tick while there are no timers. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { store, clock, handlers, log } = deps;
  const inFlight = new Map<string, Promise<void>>();
  /** Rows handled since the last poll, with their due times: one that still has the same due time was left unchanged by its handler. */
  let seen = new Map<string, number>();
  let cancel: () => void = () => undefined;
  let ticking: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  /** At the start every row may be of a time that is now the future. */
  let lastNow = Number.POSITIVE_INFINITY;

  async function fire(timer: Timer): Promise<void> {
    try {
      const handler = handlers[timer.kind];
      if (handler) await handler(timer);
      else log('no handler for a timer of this kind', { kind: timer.kind, timer: timer.id });
    } catch (error) {
      log('a timer failed; it is tried again', { timer: timer.id, error: String(error) });
    }
  }

  function begin(timer: Timer): void {
    const work = fire(timer).finally(() => {
      inFlight.delete(timer.id);
      seen.set(timer.id, timer.due);
      wake();
    });
    inFlight.set(timer.id, work);
  }

  /** Due rows that have no handler running. A row left as it was is moved on, so that the loop never spins. */
  async function beginDue(): Promise<void> {
    const before = seen;
    seen = new Map();
    const due = await store.timersDue(clock.now(), MOST + inFlight.size);
    for (const timer of due.filter(({ id }) => !inFlight.has(id))) {
      if (stopped || inFlight.size >= MOST) return;
      if (seen.get(timer.id) === timer.due) continue; // finished while the rows were read: left to the next poll
      if (before.get(timer.id) !== timer.due) begin(timer);
      else await store.setTimer({ ...timer, due: clock.now() + RETRY_MS }, clock.now());
    }
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    if (now < lastNow - BACKWARD) await store.compensateClock(now);
    lastNow = now;
    await beginDue();
    if (stopped || inFlight.size >= MOST) return; // the end of one wakes
    const rows = await store.timersDue(Number.MAX_SAFE_INTEGER, inFlight.size + 1);
    const next = rows.find(({ id }) => !inFlight.has(id));
    if (next === undefined || stopped) return;
    cancel();
    cancel = clock.setTimer(Math.min(Math.max(0, next.due - clock.now()), MAX_SLEEP_MS), wake);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    if (ticking !== null) return;
    cancel();
    again = false;
    ticking = tick()
      .catch((error: unknown) => {
        log('timers cannot be read; looked at again', { error: String(error) });
        cancel = clock.setTimer(RETRY_MS, wake);
      })
      .finally(() => {
        ticking = null;
        if (again) wake();
      });
  }

  return {
    start: wake,
    wake,
    stop: async () => {
      stopped = true;
      cancel();
      await ticking;
      cancel();
      await Promise.all(inFlight.values());
    },
  };
}

// The one clock loop: sleeps until the earliest timer row is due and hands it to the keeper of its kind. No keeper waits for another.
import type { Clock } from '../lib/clock.ts';
import type { Timer } from '../model/verdict.ts';
import type { Store } from '../store/contract.ts';

/** Sees to one due timer. Clears or moves its row itself; a row left as it was is tried again a minute later. */
export type Keeper = (timer: Timer) => Promise<void>;

export interface TimersParts {
  readonly store: Pick<Store, 'timersDue' | 'setTimer' | 'compensateClock'>;
  readonly clock: Clock;
  /** By kind. */
  readonly keepers: Readonly<Record<string, Keeper>>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface Timers {
  start(): void;
  /** Rows were added or changed. */
  wake(): void;
  /** Lets the timers under way end and looks no more. */
  stop(): Promise<void>;
}

/** Longest sleep, so that a clock set forward or back is noticed; ms. */
const LONGEST = 60_000;
/** A row its keeper left as it was comes again after this; ms. */
const AGAIN = 60_000;
/** Timers in hand at most. */
const MOST = 100;
/** A step back of the clock worth acting on, ms. */
const BACKWARD = 1_000;

/** Builds the loop; it does not tick while there are no timers. */
export function createTimers(parts: TimersParts): Timers {
  const { store, clock, keepers, log } = parts;
  const inHand = new Map<string, Promise<void>>();
  /** Rows that were seen to since the last look, with the time they were due: one that is still due then was left as it was. */
  let seen = new Map<string, number>();
  let cancel: () => void = () => undefined;
  let turning: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  /** At the start every row may be of a time that is now the future. */
  let lastNow = Number.POSITIVE_INFINITY;

  async function see(timer: Timer): Promise<void> {
    try {
      const keeper = keepers[timer.kind];
      if (keeper) await keeper(timer);
      else log('nobody keeps a timer of this kind', { kind: timer.kind, timer: timer.id });
    } catch (error) {
      log('a timer failed; it is tried again', { timer: timer.id, error: String(error) });
    }
  }

  function begin(timer: Timer): void {
    const work = see(timer).finally(() => {
      inHand.delete(timer.id);
      seen.set(timer.id, timer.due);
      wake();
    });
    inHand.set(timer.id, work);
  }

  /** Those due that nobody sees to. A row left as it was is moved on, so that the loop never spins. */
  async function beginDue(): Promise<void> {
    const before = seen;
    seen = new Map();
    const due = await store.timersDue(clock.now(), MOST + inHand.size);
    for (const timer of due.filter(({ id }) => !inHand.has(id))) {
      if (stopped || inHand.size >= MOST) return;
      if (seen.get(timer.id) === timer.due) continue; // ended while the rows were read: the next look
      if (before.get(timer.id) !== timer.due) begin(timer);
      else await store.setTimer({ ...timer, due: clock.now() + AGAIN }, clock.now());
    }
  }

  async function turn(): Promise<void> {
    const now = clock.now();
    if (now < lastNow - BACKWARD) await store.compensateClock(now);
    lastNow = now;
    await beginDue();
    if (stopped || inHand.size >= MOST) return; // the end of one wakes
    const rows = await store.timersDue(Number.MAX_SAFE_INTEGER, inHand.size + 1);
    const next = rows.find(({ id }) => !inHand.has(id));
    if (next === undefined || stopped) return;
    cancel();
    cancel = clock.setTimer(Math.min(Math.max(0, next.due - clock.now()), LONGEST), wake);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    if (turning !== null) return;
    cancel();
    again = false;
    turning = turn()
      .catch((error: unknown) => {
        log('timers cannot be read; looked at again', { error: String(error) });
        cancel = clock.setTimer(AGAIN, wake);
      })
      .finally(() => {
        turning = null;
        if (again) wake();
      });
  }

  return {
    start: wake,
    wake,
    stop: async () => {
      stopped = true;
      cancel();
      await turning;
      cancel();
      await Promise.all(inHand.values());
    },
  };
}

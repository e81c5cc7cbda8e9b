// The one clock loop: sleeps until the earliest timer row is due and hands it to the keeper of its kind.
import type { Clock } from '../lib/clock.ts';
import type { Timer } from '../model/stage.ts';
import type { Store } from '../store/contract.ts';

/** Sees to one due timer. Clears or moves its row itself; a row left as it was is tried again a minute later. */
export type Keeper = (timer: Timer) => Promise<void>;

export interface TimersParts {
  readonly store: Pick<Store, 'timersDue' | 'nextTimer' | 'setTimer'>;
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

/** Longest sleep, so that a clock set forward is noticed; ms. */
const LONGEST = 60_000;
/** A row its keeper left as it was comes again after this; ms. */
const AGAIN = 60_000;
const BATCH = 100;

/** Builds the loop; it does not tick while there are no timers. */
export function createTimers(parts: TimersParts): Timers {
  const { store, clock, keepers, log } = parts;
  let cancel: () => void = () => undefined;
  let turning: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  async function see(timer: Timer): Promise<void> {
    try {
      const keeper = keepers[timer.kind];
      if (keeper) await keeper(timer);
      else log('nobody keeps a timer of this kind', { kind: timer.kind, timer: timer.id });
    } catch (error) {
      log('a timer failed; it is tried again', { timer: timer.id, error: String(error) });
    }
  }

  /** Moves on the rows that are still due as they were, so that the loop never spins. */
  async function postpone(seen: readonly Timer[]): Promise<void> {
    const left = await store.timersDue(clock.now(), BATCH);
    for (const timer of left) {
      if (!seen.some((before) => before.id === timer.id && before.due === timer.due)) continue;
      await store.setTimer({ ...timer, due: clock.now() + AGAIN }, clock.now());
    }
  }

  async function turn(): Promise<void> {
    for (;;) {
      const due = await store.timersDue(clock.now(), BATCH);
      if (due.length === 0 || stopped) break;
      await Promise.all(due.map(see));
      await postpone(due);
    }
    const next = await store.nextTimer();
    if (next === null || stopped) return;
    cancel();
    cancel = clock.after(Math.min(Math.max(0, next - clock.now()), LONGEST), wake);
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
        cancel = clock.after(AGAIN, wake);
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
    },
  };
}

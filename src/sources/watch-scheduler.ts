// Schedules the watches: each poll is a timer row, so a restart forgets none.
import type { Store } from '../store/contract.ts';
import { timerId, WATCH_TIMER } from './watch-health.ts';
import { type ActiveWatch, pollWatch, type WatchPollDeps } from './watch-poll.ts';

/** What the scheduler needs. */
export interface WatchSchedulerDeps extends WatchPollDeps {
  readonly store: Pick<Store, 'cursor' | 'setCursor' | 'setTimer' | 'clearTimer'>;
  /** The watches in force now. */
  readonly active: () => readonly ActiveWatch[];
}

/** The running scheduler. */
export interface WatchScheduler {
  /** Sets a timer for each watch in force and clears those of the others; at start and after a change of the settings. */
  schedule(): Promise<void>;
  /** One poll of the named watch, for its timer. Never throws for expected trouble; sets the next timer itself. */
  poll(name: string): Promise<void>;
  /** Cancels running polls and waits for them. */
  stop(): Promise<void>;
}

/** Where the watches are kept that timers were set for. */
const ARMED = 'watches-armed';

/** Builds the scheduler; nothing runs before `schedule`. */
export function createWatchScheduler(deps: WatchSchedulerDeps): WatchScheduler {
  const { store, clock } = deps;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  const arm = (name: string, due: number): Promise<void> =>
    store.setTimer({ id: timerId(name), kind: WATCH_TIMER, due, data: { name } }, clock.now());

  async function poll(name: string): Promise<void> {
    const active = deps.active().find(({ watch }) => watch.name === name);
    if (!active) return store.clearTimer(timerId(name));
    const due = await pollWatch(active, deps, stopping.signal);
    if (due !== null) await arm(name, due); // else the row stays: the next start polls
  }

  return {
    schedule: async () => {
      const now = clock.now();
      const before = armedOf(await store.cursor(ARMED));
      const armed = Object.fromEntries(
        deps.active().map(({ watch, settings }) => [watch.name, JSON.stringify(settings)]),
      );
      for (const name of Object.keys(before)) if (armed[name] === undefined) await store.clearTimer(timerId(name));
      for (const { watch, settings } of deps.active()) {
        const { name } = watch;
        // The row of an earlier run is kept: a poll that was due while nothing ran happens now.
        if (before[name] === armed[name]) continue;
        await arm(name, before[name] === undefined ? now : watch.next(settings, now));
      }
      await store.setCursor(ARMED, armed);
    },
    poll: (name) => {
      const running = underWay.get(name) ?? poll(name).finally(() => underWay.delete(name));
      underWay.set(name, running);
      return running;
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(underWay.values());
    },
  };
}

/** Names of the watches scheduled before, each with its settings as JSON. */
function armedOf(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
}

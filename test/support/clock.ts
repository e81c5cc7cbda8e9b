// A clock that stands still until a test moves it.
import type { Clock } from '../../src/lib/clock.ts';

/** `advance` fires what falls due on the way, in order, letting promises run in between. */
export interface VirtualClock extends Clock {
  advance(ms: number): Promise<void>;
  /** Moves the time without firing: a clock set by hand. Alarms keep their distance, as real timers do. */
  jump(ms: number): void;
  /** Alarms set now. */
  readonly pending: number;
  /** When the next of them is due, Unix ms; null: none is set. */
  readonly nextDue: number | null;
}

/** Long enough for a dozen deliveries one after the other, each of which takes several turns of the loop. */
async function manyTurns(): Promise<void> {
  for (let i = 0; i < 120; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Starts at `start`, Unix ms. `settle` resolves when nothing goes on any more but what waits for the clock. */
export function virtualClock(start = Date.UTC(2026, 5, 1, 12), settle = manyTurns): VirtualClock {
  let now = start;
  let serial = 0;
  const alarms = new Map<number, { due: number; wake: () => void }>();
  return {
    now: () => now,
    setTimer: (ms, wake) => {
      const id = ++serial;
      alarms.set(id, { due: now + Math.max(0, ms), wake });
      return () => void alarms.delete(id);
    },
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        await settle();
        const next = [...alarms].filter(([, a]) => a.due <= end).sort((a, b) => a[1].due - b[1].due || a[0] - b[0])[0];
        if (!next) break;
        alarms.delete(next[0]);
        now = Math.max(now, next[1].due);
        next[1].wake();
      }
      now = end;
      await settle();
    },
    jump: (ms) => {
      now += ms;
      for (const alarm of alarms.values()) alarm.due += ms;
    },
    get pending() {
      return alarms.size;
    },
    get nextDue() {
      return alarms.size === 0 ? null : Math.min(...[...alarms.values()].map(({ due }) => due));
    },
  };
}

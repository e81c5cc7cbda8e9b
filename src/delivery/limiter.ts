// A channel's limits: how many sends may run at once, and the shortest time between two.
import type { Clock } from '../lib/clock.ts';
import type { ChannelLimits } from '../model/channel.ts';

/** A send that takes longer (ms) frees its slot for another session: one hung receiver must not hold up the others. */
const SLOW = 1_000;
/** Slow sends allowed beyond the channel's own limit. */
const SLOW_LIMIT = 32;

export interface Limiter {
  /** How many may begin now; 0 with a wait in ms, or 0 and 0: until one ends. */
  available(): { readonly count: number; readonly waitMs: number };
  /** Counts one in. */
  acquire(): LimiterPlace;
}

/** The place of one send. */
export interface LimiterPlace {
  /** It has ended. */
  readonly end: () => void;
  /** Nothing was sent: the next need not keep its distance. Before `end`. */
  readonly unused: () => void;
}

/** `limitsNow`: those in force, asked each time, since changed settings do not end what is under way. `freed` is called when a slow send frees its slot. */
export function createLimiter(limitsNow: () => ChannelLimits, clock: Clock, freed: () => void): Limiter {
  let slots = 0;
  let inFlight = 0;
  let last = 0;
  return {
    available: () => {
      const limits = limitsNow();
      const free = Math.min(limits.concurrency - slots, limits.concurrency + SLOW_LIMIT - inFlight);
      if (free <= 0) return { count: 0, waitMs: 0 };
      if (limits.minIntervalMs === 0) return { count: free, waitMs: 0 };
      // A clock set back must not make a short distance a long one.
      const since = clock.now() - last;
      const waitMs = since < 0 ? 0 : limits.minIntervalMs - since;
      return waitMs > 0 ? { count: 0, waitMs } : { count: 1, waitMs: 0 };
    },
    acquire: () => {
      slots++;
      inFlight++;
      const before = last;
      const own = clock.now();
      last = own;
      let held = true;
      const release = (): void => {
        if (held) slots--;
        held = false;
      };
      const cancel = clock.setTimer(SLOW, () => {
        release();
        freed();
      });
      return {
        end: () => {
          cancel();
          release();
          inFlight--;
        },
        unused: () => {
          if (last === own) last = before;
        },
      };
    },
  };
}

// A channel's limits: how many sends may run at once, and the shortest time between two.
import type { Clock } from '../lib/clock.ts';
import type { ChannelLimits } from '../model/channel.ts';

/** A send that takes longer (ms) frees its slot for another session: one hung receiver must not hold up the others. */
const SLOW = 1_000;
/** Slow sends allowed beyond the channel's own limit. */
const SLOW_LIMIT = 32;
/** Changes of messages that may follow each other at once; in the long run they keep the distance of sends. Services count them apart from sends. */
const CHANGES = 4;

export interface Limiter {
  /** How many may begin now; 0 with a wait in ms, or 0 and 0: until one ends. */
  available(): { readonly count: number; readonly waitMs: number };
  /** Whether a change of a message may begin although a send has to keep its distance: buttons must not outlive their question. */
  roomForChange(): boolean;
  /** Counts one in. `isChange`: it changes or takes back a message. */
  acquire(isChange?: boolean): LimiterPlace;
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
  const changes = createChangesLimit(limitsNow, clock);

  const freeNow = ({ concurrency }: ChannelLimits): number =>
    Math.min(concurrency - slots, concurrency + SLOW_LIMIT - inFlight);

  const roomForChange = (): boolean => freeNow(limitsNow()) > 0 && changes.hasRoom();

  /** Counts it among the changes where there is room, else among the sends; the returned function takes that back. */
  function count(isChange: boolean): () => void {
    if (isChange && roomForChange()) return changes.count();
    const own = clock.now();
    const before = last;
    last = own;
    return () => {
      if (last === own) last = before;
    };
  }

  return {
    available: () => {
      const limits = limitsNow();
      const free = freeNow(limits);
      if (free <= 0) return { count: 0, waitMs: 0 };
      if (limits.minIntervalMs === 0) return { count: free, waitMs: 0 };
      // A clock set back must not make a short distance a long one.
      const since = clock.now() - last;
      const waitMs = since < 0 ? 0 : limits.minIntervalMs - since;
      return waitMs > 0 ? { count: 0, waitMs } : { count: 1, waitMs: 0 };
    },
    roomForChange,
    acquire: (isChange = false) => {
      const unused = count(isChange);
      slots++;
      inFlight++;
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
        unused,
      };
    },
  };
}

interface ChangesLimit {
  hasRoom(): boolean;
  /** Counts one in; the returned function takes that back. */
  count(): () => void;
}

function createChangesLimit(limitsNow: () => ChannelLimits, clock: Clock): ChangesLimit {
  /** When the changes so far, each at its distance, would be over: Unix ms. */
  let until = 0;
  const ahead = (): number => {
    const ms = until - clock.now();
    // More than ever builds up: the clock was set back.
    return ms > CHANGES * limitsNow().minIntervalMs ? 0 : Math.max(0, ms);
  };
  return {
    hasRoom: () => ahead() <= (CHANGES - 1) * limitsNow().minIntervalMs,
    count: () => {
      const { minIntervalMs } = limitsNow();
      until = clock.now() + ahead() + minIntervalMs;
      return () => {
        until -= minIntervalMs;
      };
    },
  };
}

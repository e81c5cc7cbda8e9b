// A channel's limits: how many sends may run at once, and the shortest time between two, its own and those it shares with others.
import type { Clock } from '../../lib/clock.ts';
import type { ChannelLimits } from '../../model/channel/channel.ts';
import { createPace, type Pace } from './pace.ts';

/** A send that takes longer (ms) frees its slot for another session: one hung receiver must not hold up the others. */
const SLOW = 1_000;
/** Slow sends allowed beyond the channel's own limit. */
const SLOW_LIMIT = 32;

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

/** A pace and the distance that it asks for. */
export interface PaceLimit {
  readonly pace: Pace;
  /** 0: none. */
  readonly minIntervalMs: number;
}

/** What the limits of one channel are, asked each time, since changed settings do not end what is under way. */
export interface LimitsNow {
  readonly channel: string;
  readonly limits: () => ChannelLimits;
  /** Those of its account. */
  readonly shared: () => readonly PaceLimit[];
}

/** `freed` is called when a slow send frees its slot. */
export function createLimiter({ channel, limits, shared }: LimitsNow, clock: Clock, freed: () => void): Limiter {
  let slots = 0;
  let inFlight = 0;
  const ownPace = createPace(clock);

  const free = ({ concurrency } = limits()): number =>
    Math.min(concurrency - slots, concurrency + SLOW_LIMIT - inFlight);
  const pacesNow = (): readonly PaceLimit[] => [{ pace: ownPace, minIntervalMs: limits().minIntervalMs }, ...shared()];
  const roomForChange = (): boolean =>
    free() > 0 && pacesNow().every(({ pace, minIntervalMs }) => pace.hasRoomForChange(minIntervalMs));

  /** Counts it among the changes where there is room, else among the sends; the returned function takes that back. */
  function count(isChange: boolean): () => void {
    const asChange = isChange && roomForChange();
    const counted = pacesNow().map(({ pace, minIntervalMs }) =>
      asChange ? pace.countChange(minIntervalMs) : pace.countSend(channel),
    );
    return () => {
      for (const undo of counted) undo();
    };
  }

  return {
    available: () => {
      const count = free();
      if (count <= 0) return { count: 0, waitMs: 0 };
      const paces = pacesNow().filter(({ minIntervalMs }) => minIntervalMs > 0);
      const waitMs = Math.max(0, ...paces.map(({ pace, minIntervalMs }) => pace.waitMs(channel, minIntervalMs)));
      if (waitMs > 0) return { count: 0, waitMs };
      return { count: paces.length === 0 ? count : 1, waitMs: 0 };
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

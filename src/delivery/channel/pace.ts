// The distance between sends, of one channel or of all that share an account; those that wait for it take turns.
import type { Clock } from '../../lib/clock.ts';

/** Changes of messages that may follow each other at once; in the long run they keep the distance of sends. Services count them apart from sends. */
const CHANGES = 4;
/** Ms that whoever was served last leaves to each of those who wait. */
const TURN = 20;

export interface Pace {
  /** Ms until this channel may send. */
  waitMs(channel: string, minIntervalMs: number): number;
  /** Whether a change may begin although a send has to keep its distance. */
  hasRoomForChange(minIntervalMs: number): boolean;
  /** Counts a send in; the returned function takes that back. */
  countSend(channel: string): () => void;
  /** Counts a change in, likewise. */
  countChange(minIntervalMs: number): () => void;
  /** Nothing of before matters any more to senders at this distance. */
  isOver(minIntervalMs: number): boolean;
}

/** Nothing was sent yet. */
export function createPace(clock: Clock): Pace {
  let last = 0;
  /** When the changes so far, each at its distance, would be over: Unix ms. */
  let changesUntil = 0;
  /** By channel: when it was served last, and until when it waits. Unix ms. */
  const turns = new Map<string, { served: number; waitsUntil: number }>();

  const ahead = (minIntervalMs: number): number => {
    const ms = changesUntil - clock.now();
    // More than ever builds up: the clock was set back.
    return ms > CHANGES * minIntervalMs ? 0 : Math.max(0, ms);
  };
  const remaining = (minIntervalMs: number): number => {
    const since = clock.now() - last;
    // A clock set back must not make a short distance a long one.
    return since < 0 ? 0 : Math.max(0, minIntervalMs - since);
  };
  const servedAt = (channel: string): number => turns.get(channel)?.served ?? 0;

  return {
    waitMs: (channel, minIntervalMs) => {
      if (minIntervalMs === 0) return 0;
      const now = clock.now();
      const before = [...turns].filter(
        ([other, { served, waitsUntil }]) => other !== channel && waitsUntil >= now && served < servedAt(channel),
      );
      const ms = remaining(minIntervalMs) + before.length * TURN;
      turns.set(channel, { served: servedAt(channel), waitsUntil: ms > 0 ? now + ms + TURN : 0 });
      return ms;
    },
    hasRoomForChange: (minIntervalMs) => ahead(minIntervalMs) <= (CHANGES - 1) * minIntervalMs,
    countSend: (channel) => {
      const own = clock.now();
      const before = last;
      last = own;
      turns.set(channel, { served: own, waitsUntil: 0 });
      return () => {
        if (last === own) last = before;
      };
    },
    countChange: (minIntervalMs) => {
      changesUntil = clock.now() + ahead(minIntervalMs) + minIntervalMs;
      return () => {
        changesUntil -= minIntervalMs;
      };
    },
    isOver: (minIntervalMs) => remaining(minIntervalMs) === 0 && ahead(minIntervalMs) === 0,
  };
}

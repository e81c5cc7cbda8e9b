// Sends bypassing the outbox that wait for a channel's next free place: within its limits like any other send, and before them.
import type { Clock } from '../../lib/clock.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import type { ChannelHealth } from '../../store/contract.ts';
import type { Limiter } from '../channel/accounts.ts';

/** Sends that may wait at one channel. */
const MAX_WAITING = 32;
/** Longest one waits, ms. */
const PATIENCE = 20_000;

/** Who sends: a person who tests the channel and so probes it, or Belfry, which has something to say. */
export type DirectSender = 'test' | 'notice';

type Refusal = Exclude<Outcome, { readonly ok: true }>;

/** What waits at one channel. */
export interface DirectSends {
  /** Resolves with the outcome of `work`, or why it never began. `work` never rejects. */
  add(work: () => Promise<Outcome>): Promise<Outcome>;
  /** A place may be free. */
  serve(): void;
  /** A claim: the places it was made for are not given away until it has ended. */
  after<T>(claim: () => Promise<T>): Promise<T>;
  /** Refuses what waits. */
  stop(): void;
}

const refusal = (reason: Reason, why: string, retryAfter?: number): Refusal => ({
  ok: false,
  reason,
  error: `not sent: ${why}`,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const busy = refusal('rate-limited', 'the channel was busy all the time; try again later');
const ended = refusal('network', 'the channel is being ended');

/** Why a channel in this state is not sent to now; null: it is. */
export function refusedNow({ state, error, pausedUntil, probeAt }: ChannelHealth, by: DirectSender, now: number) {
  if (pausedUntil !== null && pausedUntil > now)
    return refusal('rate-limited', `the receiver asked to wait until ${clockTime(pausedUntil)}`, pausedUntil - now);
  if (state === 'failing' && by === 'notice' && (probeAt ?? 0) > now)
    return refusal('network', `the channel is failing${error === null ? '' : ` (${error})`}`);
  return null;
}

/** Nothing waits yet. */
export function createDirectSends(limiter: Limiter, clock: Clock): DirectSends {
  const waiting = new Set<{ begin(): void; refuse(outcome: Refusal): void }>();
  let stopped = false;
  let claiming = false;
  let cancelSleep = (): void => undefined;

  function serve(): void {
    cancelSleep();
    if (claiming) return;
    for (const { begin } of waiting) {
      const room = limiter.available();
      if (room.waitMs > 0) cancelSleep = clock.setTimer(room.waitMs, serve);
      if (room.count === 0) return;
      begin();
    }
  }

  return {
    add: (work) =>
      new Promise((resolve) => {
        if (stopped) return resolve(ended);
        if (waiting.size >= MAX_WAITING) return resolve(busy);
        const leave = (): void => {
          cancel();
          waiting.delete(one);
        };
        const one = {
          begin: () => {
            leave();
            const { end: done } = limiter.acquire();
            resolve(work().finally(done));
          },
          refuse: (outcome: Refusal) => {
            leave();
            resolve(outcome);
          },
        };
        const cancel = clock.setTimer(PATIENCE, () => one.refuse(busy));
        waiting.add(one);
        serve();
      }),
    serve,
    after: async (claim) => {
      claiming = true;
      try {
        return await claim();
      } finally {
        claiming = false;
      }
    },
    stop: () => {
      stopped = true;
      cancelSleep();
      for (const { refuse } of waiting) refuse(ended);
    },
  };
}

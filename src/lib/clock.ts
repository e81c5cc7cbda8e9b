// Time is injected: everything that waits or reads the time takes one of these.

/** A clock and its alarm. */
export interface Clock {
  /** Unix ms. */
  now(): number;
  /** Calls `wake` once after `ms`; the returned function cancels it. `background`: does not keep the process alive. */
  setTimer(ms: number, wake: () => void): () => void;
}

/** Longest timeout Node's timers take. */
const LONGEST = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (ms, wake) => {
    const timer = setTimeout(wake, Math.max(0, Math.min(ms, LONGEST)));
    return () => clearTimeout(timer);
  },
};

/** Resolves in the next turn of the event loop: everything else of the process has its turn before. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves after `ms`, or as soon as the signal fires. */
export function sleep(ms: number, clock: Pick<Clock, 'setTimer'> = systemClock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.setTimer(ms, end);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}

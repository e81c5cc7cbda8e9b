// Waits for a time, or until something has ended before it.
import type { Clock } from '../lib/clock.ts';

/** Resolves after `ms`, or when `ended` aborts. */
export function patience(clock: Clock, ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(ms, resolve);
    ended.addEventListener('abort', () => cancel(), { once: true });
  });
}

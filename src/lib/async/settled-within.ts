// Waits for work to end, but not for ever.
import type { Clock } from '../clock.ts';

/** Waits until all have ended, at most so many ms. */
export async function settledWithin(work: readonly Promise<void>[], ms: number, clock: Clock): Promise<void> {
  let off = (): void => undefined;
  const late = new Promise<void>((resolve) => (off = clock.setTimer(ms, resolve)));
  await Promise.race([Promise.allSettled(work), late]);
  off();
}

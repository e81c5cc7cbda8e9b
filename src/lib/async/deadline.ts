// A deadline over anything: what is not there by then is left out.
import type { Clock } from '../clock.ts';

/** The result of `work`, or `otherwise` when it fails or takes longer than `ms`. The signal says that nobody waits any more. */
export function withDeadline<T>(
  clock: Clock,
  ms: number,
  otherwise: T,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  return new Promise((resolve) => {
    const give = (value: T): void => {
      cancel();
      resolve(value);
      control.abort();
    };
    const cancel = clock.setTimer(ms, () => give(otherwise));
    work(control.signal).then(give, () => give(otherwise));
  });
}

// Waiting for the next change of the store.
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/contract.ts';

/** Resolves with the next change, after `silenceMs` without one, or when the signal fires. */
export function nextChange(
  { store, clock }: { readonly store: Pick<Store, 'watchChanges'>; readonly clock: Clock },
  silenceMs: number,
  signal: AbortSignal,
): Promise<'change' | 'silence' | 'over'> {
  return new Promise((resolve) => {
    const end = (why: 'change' | 'silence' | 'over'): void => {
      stop();
      cancel();
      signal.removeEventListener('abort', over);
      resolve(why);
    };
    const over = (): void => end('over');
    const stop = store.watchChanges(() => end('change'));
    const cancel = clock.setTimer(silenceMs, () => end('silence'));
    signal.addEventListener('abort', over, { once: true });
    if (signal.aborted) over();
  });
}

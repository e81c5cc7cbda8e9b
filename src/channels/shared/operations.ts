// The operations of an opened channel: a mistake in one concerns it only; each ends when its own signal fires, and all of them when the channel is closed.
import type { Outcome } from '../../model/delivery/delivery.ts';

/** What `make` returns; a failure, without its words, where it throws. */
export function asOutcome<T>(make: () => T): T | Extract<Outcome, { ok: false }> {
  try {
    return make();
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    return { ok: false, reason: 'client', error: `could not be put into this channel's form: ${name}` };
  }
}

/** Runs operations, and ends them. */
export interface Operations {
  /** `work` is given a signal that fires with `outer` and on `close`. */
  readonly run: <T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Resolves once everything under way has ended. */
  readonly close: () => Promise<void>;
}

/** For one opened channel. */
export function createOperations(): Operations {
  const underWay = new Map<AbortController, Promise<unknown>>();
  return {
    run: async (outer, work) => {
      const control = new AbortController();
      const cancel = (): void => control.abort();
      if (outer.aborted) cancel();
      outer.addEventListener('abort', cancel, { once: true });
      const working = work(control.signal);
      underWay.set(control, working);
      try {
        return await working;
      } finally {
        underWay.delete(control);
        outer.removeEventListener('abort', cancel);
      }
    },
    close: async () => {
      const all = [...underWay];
      for (const [control] of all) control.abort();
      await Promise.allSettled(all.map(([, working]) => working));
    },
  };
}

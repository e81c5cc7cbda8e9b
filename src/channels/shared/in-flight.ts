// What a channel has under way, so that closing it ends everything.

export interface InFlight {
  /** Runs `work` with a signal that fires with `outer`, or when everything is aborted. */
  run<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  readonly abort: () => void;
}

/** Nothing is under way yet. */
export function createInFlight(): InFlight {
  const underWay = new Set<AbortController>();
  return {
    run: async (outer, work) => {
      const control = new AbortController();
      const cancel = (): void => control.abort();
      if (outer.aborted) cancel();
      outer.addEventListener('abort', cancel, { once: true });
      underWay.add(control);
      try {
        return await work(control.signal);
      } finally {
        underWay.delete(control);
        outer.removeEventListener('abort', cancel);
      }
    },
    abort: () => {
      for (const control of underWay) control.abort();
    },
  };
}

// Work that nobody waits for at once, and that a stop waits for.

/** Owns what runs in the background. */
export interface Background {
  /** What it rejects with goes to the one who made this. */
  readonly run: (work: Promise<unknown>) => void;
  /** Resolves when all that runs now has ended; never rejects. */
  readonly idle: () => Promise<void>;
}

/** Nothing runs yet. `failed` must not throw. */
export function createBackground(failed: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const done = work.then(() => undefined, failed).finally(() => running.delete(done));
      running.add(done);
    },
    idle: async () => {
      await Promise.all(running);
    },
  };
}

// Who waits until files of the spool have been looked at: a live event must not overtake an earlier one that lies there.
import type { Clock } from '../lib/clock.ts';

/** Each wait ends once: by the last of its files, by its limit, or by `release`. */
export class FileWaits {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #waits = new Set<(name: string | null) => void>();

  constructor(clock: Pick<Clock, 'setTimer'>) {
    this.#clock = clock;
  }

  /** Resolves when all of these are done, after `limit` ms at the latest. */
  all(names: readonly string[], limit: number): Promise<void> {
    const left = new Set(names);
    if (left.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (name: string | null): void => {
        if (name === null) left.clear();
        else left.delete(name);
        if (left.size > 0) return;
        cancel();
        this.#waits.delete(done);
        resolve();
      };
      const cancel = this.#clock.setTimer(limit, () => done(null));
      this.#waits.add(done);
    });
  }

  /** This file was handed on, put aside, or is not to be waited for. */
  done(name: string): void {
    for (const wait of this.#waits) wait(name);
  }

  /** Nobody is kept waiting any more. */
  release(): void {
    for (const wait of this.#waits) wait(null);
  }
}

// Notices the spool's files: the system tells of each, and a sweep finds what it did not tell.
import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../lib/clock.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';
import { isSpoolName } from './spool-file.ts';

/** Interval of a sweep of the whole folder, in case the system lost a notification, ms. */
export const SWEEP = 60_000;
/** The same where nothing can be watched (others use up all that the system allows), ms: the shell hook's events come only by it. */
const UNWATCHED = 1_000;

export interface FolderWatchOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** A file of the spool was written. */
  readonly found: (name: string) => void;
  /** The whole folder is to be listed. */
  readonly sweep: () => void;
}

/** Makes the folder where it is missing, and watches it again after each sweep. */
export class FolderWatch {
  readonly #o: FolderWatchOptions;
  #watcher: FSWatcher | null = null;
  #trouble: string | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(options: FolderWatchOptions) {
    this.#o = options;
  }

  /** Has the folder swept now, and from then on. */
  sweep(): void {
    if (this.#closed) return;
    this.#watcher?.close();
    this.#watcher = null;
    const trouble = makePrivateFolder(this.#o.folder) ?? this.#watch();
    if (trouble && trouble !== this.#trouble)
      this.#o.log('the spool cannot be watched; it is looked at every second', { error: trouble });
    this.#trouble = trouble;
    this.#o.sweep();
    this.#sweepIn(trouble ? UNWATCHED : SWEEP);
  }

  close(): void {
    this.#closed = true;
    this.#watcher?.close();
    this.#cancel();
  }

  #sweepIn(ms: number): void {
    if (this.#closed) return;
    this.#cancel();
    this.#cancel = this.#o.clock.setTimer(ms, () => this.sweep());
  }

  /** Why it cannot be watched; null when it is. */
  #watch(): string | null {
    try {
      this.#watcher = watch(this.#o.folder, (_change, name) => {
        if (name === null) this.#sweepIn(0);
        else if (isSpoolName(name)) this.#o.found(name);
      });
      this.#watcher.on('error', () => this.#sweepIn(UNWATCHED));
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

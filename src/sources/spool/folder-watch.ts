// Notices the spool's files: the system tells of each, and a sweep finds what it did not tell.
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import type { Clock } from '../../lib/clock.ts';
import { makePrivateFolder } from '../../runtime/private-folder.ts';
import { isSpoolName } from './spool-file.ts';

/** Interval of a sweep of the whole folder, in case the system lost a notification, ms. */
export const SWEEP = 60_000;
/** The same where nothing can be watched (others use up all that the system allows), ms: the shell hook's events come only by it. */
const UNWATCHED = 1_000;

export interface FolderWatchOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Of this process unless given. */
  readonly platform?: NodeJS.Platform;
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
  /** The folder's time of change when it was listed last, Unix ms. */
  #listed = 0;
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

  /**
   * Names that the system may not have reported yet. Linux reports a file before whoever wrote it does anything else that can be noticed;
   * elsewhere, and where nothing is watched, the folder is listed again once its time has changed.
   */
  unnoticed(): readonly string[] {
    const { folder, platform = process.platform } = this.#o;
    if (platform === 'linux' && this.#watcher !== null) return [];
    const changed = lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed === this.#listed) return [];
    this.#listed = changed;
    try {
      return readdirSync(folder).filter(isSpoolName);
    } catch {
      return []; // removed; the next sweep makes it again
    }
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

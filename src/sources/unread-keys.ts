// Whose inputs lay in the spool at the start: looked up at once, since taking over a long spool takes minutes, and most sessions need not wait for it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope } from '../ipc/envelope.ts';
import type { Clock } from '../lib/clock.ts';
import { readSpoolFile } from './spool-file.ts';

/** Files looked at before everything else of the process has its turn. */
const TURN = 64;
/** Without progress it is given up after so long, ms: what cannot be taken over holds up nothing for ever. */
const LONGEST = 60_000;
/** An input of which only parsing tells whose it is holds up all sessions for so long, ms. */
const UNKNOWN = 10_000;

export interface UnreadOptions {
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  /** The ordering key of an input; null: not known before it is parsed. */
  readonly keyOf: (envelope: Envelope) => string | null;
  /** Whether a file lies there for good. */
  readonly isStuck: (name: string) => boolean;
}

/** Whether something of this key is not in the journal yet. */
export type Unread = (key: string) => boolean;

/** Of one start. */
export class UnreadKeys {
  readonly #o: UnreadOptions;
  readonly #since: number;
  /** By file. */
  readonly #left = new Map<string, string | null>();
  readonly #counts = new Map<string | null, number>();
  #isRead = false;
  #isClosed = false;
  #progress: number;

  constructor(options: UnreadOptions) {
    this.#o = options;
    this.#since = options.clock.now();
    this.#progress = this.#since;
  }

  /** Looks at these files. */
  async read(names: readonly string[]): Promise<void> {
    const { folder, clock, keyOf, isStuck } = this.#o;
    for (const [i, name] of names.entries()) {
      if (this.#isClosed) return;
      if (i % TURN === TURN - 1) {
        await new Promise((resolve) => setImmediate(resolve));
        this.#progress = clock.now();
      }
      const file = isStuck(name) ? null : readSpoolFile(folder, name, Date.now());
      if (file?.state !== 'whole') continue; // gone: in the journal; still being written: it comes like any other
      const key = keyOf(file.envelope);
      this.#left.set(name, key);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    this.#isRead = true;
  }

  /** This file was handed on, refused or put aside. */
  ended(name: string): void {
    const key = this.#left.get(name);
    if (key === undefined) return;
    if (existsSync(join(this.#o.folder, name)) && !this.#o.isStuck(name)) return; // refused: it comes again
    this.#progress = this.#o.clock.now();
    this.#left.delete(name);
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Null: nothing is, or nothing that could be taken over. */
  now(): Unread | null {
    const now = this.#o.clock.now();
    if (Math.abs(now - this.#progress) > LONGEST || (this.#isRead && this.#left.size === 0)) return null;
    if (!this.#isRead) return () => true;
    const all = this.#counts.has(null) && Math.abs(now - this.#since) < UNKNOWN;
    return (key) => all || this.#counts.has(key);
  }
}

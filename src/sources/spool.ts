// The spool as a source: reads what is there at the start, in order, and what arrives while the daemon runs.
import { join } from 'node:path';
import type { Envelope } from '../ipc/envelope.ts';
import type { Clock } from '../lib/clock.ts';
import { FileWaits } from './file-waits.ts';
import { FolderWatch, SWEEP } from './folder-watch.ts';
import { HandOver, type HandOverOptions } from './hand-over.ts';
import { killStuckWriter } from './kill-stuck-writer.ts';
import { isJson } from './shell-file.ts';
import type { SpoolFile, UnfinishedFile } from './judged-file.ts';
import { readSpoolFile } from './spool-file.ts';
import { listSpool, moveToQuarantine } from './spool-folder.ts';
import { SpoolQueue } from './spool-queue.ts';
import { type Unread, UnreadKeys } from './unread-keys.ts';

export interface SpoolOptions extends Omit<HandOverOptions, 'resume' | 'ended'> {
  readonly quarantine: string;
  readonly clock: Clock;
  /** The ordering key of an input; null: not known before it is parsed. */
  readonly keyOf: (envelope: Envelope) => string | null;
}

export interface SpoolSource {
  /** Resolves when nothing that could be taken over is left. */
  idle(): Promise<void>;
  /** Whose inputs lay there at the start and are not handed on yet; null: nobody's. */
  readonly unread: () => Unread | null;
  /**
   * Resolves when what lies there now was handed on, and not only what the system has notified us of: with whether there was anything. What
   * is still being written, or too much, is not waited for, and nothing for longer than two seconds.
   */
  readonly caughtUp: () => Promise<boolean>;
  /** Takes no more and waits for what is in flight. */
  close(): Promise<void>;
}

/** With this many files in the queue the sweep adds no more. */
const LONG = 1_000;
/** Files after which everything else of the process has its turn. */
const TURN = 64;
/** Files that are waited for at most, and how long, ms. */
const MOST_AWAITED = 2_000;
const LONGEST_WAIT = 2_000;
/** Pause before a file that is being written is read again, ms. */
const SECOND_LOOK = 300;
/** An input that stays open is ended after this time, or after this silence when it is whole, ms. */
const LONGEST = 2_000;
const SILENCE = 1_000;

/** Starts to watch; the backlog is read in the background. */
export function watchSpool(options: SpoolOptions): SpoolSource {
  return new Spool(options);
}

class Spool implements SpoolSource {
  readonly #o: SpoolOptions;
  readonly #queue = new SpoolQueue();
  readonly #watch: FolderWatch;
  readonly #handOver: HandOver;
  /** Second looks at files that are being written. */
  readonly #looks = new Map<string, () => void>();
  /** Files whose writers were ended. */
  readonly #ended = new Set<string>();
  readonly #waits: FileWaits;
  readonly #unread: UnreadKeys;
  #closed = false;
  #draining: Promise<void> | null = null;

  constructor(options: SpoolOptions) {
    this.#o = options;
    const { folder, clock, log } = options;
    this.#waits = new FileWaits(clock);
    this.#handOver = new HandOver({
      ...options,
      ended: (name) => this.#done(name),
      // In order again, from the beginning.
      resume: () => {
        this.#queue.clear();
        this.#watch.sweep();
      },
    });
    this.#watch = new FolderWatch({
      ...{ folder, clock, log },
      found: (name) => this.#add(name),
      sweep: () => this.#list(),
    });
    this.#unread = new UnreadKeys({ ...options, isStuck: (name) => this.#handOver.isStuck(name) });
    void this.#unread.read(listSpool(folder) ?? []); // what cannot be read is skipped
    this.#watch.sweep();
  }

  async idle(): Promise<void> {
    while (this.#draining || !this.#handOver.idle) await Promise.all([this.#draining, this.#handOver.ended()]);
  }

  readonly unread = (): Unread | null => this.#unread.now();

  readonly caughtUp = async (): Promise<boolean> => {
    if (this.#closed || this.#handOver.paused || this.#queue.size > MOST_AWAITED) return false;
    const names = (listSpool(this.#o.folder) ?? []).filter(
      (name) => !this.#looks.has(name) && !this.#handOver.isStuck(name),
    );
    if (names.length === 0 || names.length > MOST_AWAITED) return false;
    const ended = this.#waits.all(names, LONGEST_WAIT);
    for (const name of names) this.#add(name);
    await ended;
    return true;
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#waits.release();
    this.#unread.close();
    this.#watch.close();
    this.#handOver.close();
    for (const cancel of this.#looks.values()) cancel();
    await this.idle();
  }

  #add(name: string): void {
    if (this.#handOver.knows(name)) return;
    this.#queue.addFresh(name);
    this.#drain();
  }

  #list(): void {
    // What a lost notification hid can wait for the end of a long queue; listing it again and again would take memory.
    if (this.#queue.size < LONG)
      this.#queue.addBacklog((listSpool(this.#o.folder) ?? []).filter((name) => !this.#handOver.knows(name)));
    this.#drain();
  }

  #drain(): void {
    if (this.#draining || this.#closed || this.#handOver.paused) return;
    this.#draining = this.#takeAll()
      .catch((error: unknown) => this.#o.log('the spool source failed', { error: String(error) }))
      .finally(() => {
        this.#draining = null;
        if (this.#queue.size > 0) this.#drain();
      });
  }

  async #takeAll(): Promise<void> {
    for (let taken = 1; !this.#closed && !this.#handOver.paused; taken++) {
      const name = this.#queue.next();
      if (name === undefined) return;
      this.#take(name, readSpoolFile(this.#o.folder, name, Date.now()));
      await this.#handOver.room();
      if (taken % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #take(name: string, file: SpoolFile): void {
    if (file.state === 'unfinished') this.#lookAgain(name, file);
    const wasEnded = file.state !== 'unfinished' && this.#forget(name);
    if (file.state === 'unreadable') this.#putAside(name, file.reason);
    if (file.state === 'whole') this.#handOver.take(name, wasEnded ? markCut(file.envelope) : file.envelope);
    else this.#done(name);
  }

  #done(name: string): void {
    this.#waits.done(name);
    this.#unread.ended(name);
  }

  #putAside(name: string, reason: string): void {
    const trouble = moveToQuarantine(this.#o.folder, name, this.#o.quarantine, Date.now());
    if (trouble) this.#handOver.leaveAlone(name);
    this.#o.log('a file of the spool cannot be read and is in quarantine', { name, reason, trouble });
  }

  /** Ends a writer that waits for an end of its input that does not come. */
  #lookAgain(name: string, file: UnfinishedFile): void {
    const open = Date.now() - file.since;
    if (open > LONGEST || (file.json && file.quiet > SILENCE)) {
      this.#ended.add(name);
      killStuckWriter(file.writer, join(this.#o.folder, name), file.since);
    }
    if (open > SWEEP || this.#closed) return; // the sweep reads them
    this.#looks.get(name)?.();
    const look = (): void => {
      this.#looks.delete(name);
      this.#add(name);
    };
    this.#looks.set(name, this.#o.clock.setTimer(SECOND_LOOK, look));
  }

  /** No more is to come of this file. Answers whether its writer was ended. */
  #forget(name: string): boolean {
    this.#looks.get(name)?.();
    this.#looks.delete(name);
    return this.#ended.delete(name);
  }
}

/** An input that did not end and is no whole document. */
function markCut(envelope: Envelope): Envelope {
  return isJson(envelope.raw) ? envelope : { ...envelope, cut: 'time' };
}

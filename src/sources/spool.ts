// The spool as a source: reads what is there at the start, in order, and what arrives while the daemon runs.
import { type FSWatcher, unlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import type { Envelope } from '../ipc/envelope.ts';
import type { Acknowledgement } from '../ipc/frames.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';
import { killStuckWriter } from './kill-stuck-writer.ts';
import { isJson, isSpoolName, readSpoolFile, type SpoolFile } from './spool-file.ts';
import { listSpool, moveToQuarantine } from './spool-folder.ts';
import { SpoolQueue } from './spool-queue.ts';

export interface SpoolOptions {
  readonly folder: string;
  readonly quarantine: string;
  /** Resolves once the envelope is kept for good, or with why it is not; then it is offered again later. */
  readonly accept: (envelope: Envelope) => Promise<Acknowledgement>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly clock: Clock;
}

export interface SpoolSource {
  /** Resolves when nothing that could be taken over is left. */
  idle(): Promise<void>;
  /** Takes no more and waits for what is in flight. */
  close(): Promise<void>;
}

/** Envelopes handed in and not yet kept, at most. */
const MAX_IN_FLIGHT = 16;
/** Interval of a sweep of the whole folder, in case the system lost a notification, ms. */
const SWEEP = 60_000;
/** The same where nothing can be watched (others use up all that the system allows), ms: the shell hook's events come only by it. */
const UNWATCHED = 1_000;
/** With this many files in the queue the sweep adds no more. */
const LONG = 1_000;
/** Pause before a file that is being written is read again, ms. */
const SECOND_LOOK = 300;
/** An input that stays open is ended after this time, or after this silence when it is whole, ms. */
const LONGEST = 2_000;
const SILENCE = 1_000;
/** Shortest and longest wait after a refusal, ms. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Starts to watch; the backlog is read in the background. */
export function watchSpool(options: SpoolOptions): SpoolSource {
  return new Spool(options);
}

/** An input that did not end and is no whole document. */
function markCut(envelope: Envelope): Envelope {
  return isJson(envelope.raw) ? envelope : { ...envelope, cut: 'time' };
}

class Spool implements SpoolSource {
  readonly #o: SpoolOptions;
  readonly #queue = new SpoolQueue();
  readonly #alarms = new Map<string, () => void>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #busy = new Set<string>();
  readonly #stuck = new Set<string>();
  readonly #ended = new Set<string>();
  #watcher: FSWatcher | null = null;
  #trouble: string | null = null;
  #paused = false;
  #wait = FIRST_PAUSE;
  #closed = false;
  #draining: Promise<void> | null = null;

  constructor(options: SpoolOptions) {
    this.#o = options;
    this.#sweep();
  }

  async idle(): Promise<void> {
    while (this.#draining || this.#inFlight.size > 0) await Promise.all([this.#draining, ...this.#inFlight]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher?.close();
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
    await this.idle();
  }

  /** Sweeps the whole folder, makes it when it is missing, and watches it again. */
  #sweep(): void {
    const { folder, log } = this.#o;
    this.#watcher?.close();
    this.#watcher = null;
    const trouble = makePrivateFolder(folder) ?? this.#watch();
    if (trouble && trouble !== this.#trouble)
      log('the spool cannot be watched; it is looked at every second', { error: trouble });
    this.#trouble = trouble;
    // What a lost notification hid can wait for the end of a long queue; listing it again and again would take memory.
    if (this.#queue.size < LONG) this.#queue.addBacklog((listSpool(folder) ?? []).filter((name) => this.#isNew(name)));
    this.#drain();
    this.#alarm('', trouble ? UNWATCHED : SWEEP, () => this.#sweep());
  }

  /** Why it cannot be watched; null when it is. */
  #watch(): string | null {
    try {
      this.#watcher = watch(this.#o.folder, (_change, name) => {
        if (name === null) this.#alarm('', 0, () => this.#sweep());
        else if (isSpoolName(name) && this.#isNew(name)) {
          this.#queue.addFresh(name);
          this.#drain();
        }
      });
      this.#watcher.on('error', () => this.#alarm('', UNWATCHED, () => this.#sweep()));
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #isNew(name: string): boolean {
    return !this.#busy.has(name) && !this.#stuck.has(name);
  }

  #alarm(key: string, ms: number, wake: () => void): void {
    if (this.#closed) return;
    this.#alarms.get(key)?.();
    const cancel = this.#o.clock.setTimer(ms, () => {
      this.#alarms.delete(key);
      wake();
    });
    this.#alarms.set(key, cancel);
  }

  #drain(): void {
    if (this.#draining || this.#closed || this.#paused) return;
    this.#draining = this.#takeAll()
      .catch((error: unknown) => this.#o.log('the spool source failed', { error: String(error) }))
      .finally(() => {
        this.#draining = null;
        if (this.#queue.size > 0) this.#drain();
      });
  }

  async #takeAll(): Promise<void> {
    for (let taken = 0; !this.#closed && !this.#paused; taken++) {
      const name = this.#queue.next();
      if (name === undefined) return;
      this.#take(name, readSpoolFile(this.#o.folder, name, Date.now()));
      while (this.#inFlight.size >= MAX_IN_FLIGHT) await Promise.race(this.#inFlight);
      if (taken % 64 === 63) await new Promise((resolve) => setImmediate(resolve)); // let the socket have its turn
    }
  }

  #take(name: string, file: SpoolFile): void {
    if (file.state === 'whole') this.#handOver(name, this.#ended.has(name) ? markCut(file.envelope) : file.envelope);
    if (file.state === 'unfinished') this.#lookAgain(name, file);
    if (file.state === 'unreadable') this.#putAside(name, file.reason);
    if (file.state === 'gone') this.#ended.delete(name);
  }

  #putAside(name: string, reason: string): void {
    const trouble = moveToQuarantine(this.#o.folder, name, this.#o.quarantine, Date.now());
    if (trouble) this.#stuck.add(name);
    this.#o.log('a file of the spool cannot be read and is in quarantine', { name, reason, trouble });
  }

  #lookAgain(name: string, file: Extract<SpoolFile, { state: 'unfinished' }>): void {
    const open = Date.now() - file.since;
    if (open > LONGEST || (file.json && file.quiet > SILENCE)) {
      this.#ended.add(name);
      killStuckWriter(file.writer, join(this.#o.folder, name), file.since);
    }
    if (open > SWEEP) return; // the sweep reads them
    this.#alarm(name, SECOND_LOOK, () => {
      this.#queue.addFresh(name);
      this.#drain();
    });
  }

  #handOver(name: string, envelope: Envelope): void {
    this.#alarms.get(name)?.();
    this.#alarms.delete(name);
    this.#ended.delete(name);
    this.#busy.add(name);
    const work = this.#keep(name, envelope).finally(() => {
      this.#busy.delete(name);
      this.#inFlight.delete(work);
    });
    this.#inFlight.add(work);
  }

  async #keep(name: string, envelope: Envelope): Promise<void> {
    const answer = await this.#o
      .accept(envelope)
      .catch((error: unknown): Acknowledgement => ({ ok: false, error: String(error) }));
    if (!answer.ok) return this.#refused(name, answer.error);
    this.#wait = FIRST_PAUSE;
    try {
      unlinkSync(join(this.#o.folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#stuck.add(name); // known by its id when it is read again after a restart
      this.#o.log('a file of the spool cannot be removed', { name, error: (error as Error).message });
    }
  }

  /** Most likely the disk is full: everything waits, then the folder is read again, in order. */
  #refused(name: string, error: string): void {
    this.#o.log('an event of the spool could not be kept and is tried again', { name, error });
    if (this.#paused) return;
    this.#paused = true;
    this.#alarm('pause', this.#wait, () => {
      this.#paused = false;
      this.#queue.clear();
      this.#sweep();
    });
    this.#wait = Math.min(LONGEST_PAUSE, this.#wait * 2);
  }
}

// The spool as a source: reads what is there at the start, in order, and what arrives while the daemon runs.
import { join } from 'node:path';
import type { Envelope } from '../../ipc/envelope.ts';
import { writerOfPartial } from '../../ipc/shell-spool-file.ts';
import { type Clock, nextTurn } from '../../lib/clock.ts';
import { giveWay } from '../../lib/give-way.ts';
import { LONGEST_ARRIVAL, type MayPrecede } from '../may-still-arrive.ts';
import { FolderWatch, SWEEP } from './folder-watch.ts';
import { HandOver, type HandOverOptions } from './hand-over.ts';
import { killStuckWriter } from './kill-stuck-writer.ts';
import { isJson } from './shell-file.ts';
import type { SpoolFile, UnfinishedFile } from './spool-finding.ts';
import { readSpoolFile } from './spool-file.ts';
import { listSpool, moveToQuarantine, spoolName } from './spool-folder.ts';
import { begunAt, type SpoolName, SpoolQueue } from './spool-queue.ts';

export interface SpoolOptions extends Omit<HandOverOptions, 'resume' | 'ended'> {
  readonly quarantine: string;
  readonly clock: Clock;
  /** The ordering key of an input, or of its first part; null: not known. */
  readonly keyOf: (input: Pick<Envelope, 'agent' | 'raw'>) => string | null;
}

export interface SpoolSource {
  /** Resolves when nothing that could be taken over is left. */
  idle(): Promise<void>;
  /** Whether something that lay there at the start is not in the journal yet. */
  readonly unread: () => boolean;
  readonly precedes: MayPrecede;
  /** Takes no more and waits for what is in flight. */
  close(): Promise<void>;
}

/** With this many files in the queue the sweep adds no more. */
const LONG = 1_000;
/** Files after which everything else of the process has its turn. */
const TURN = 64;
/** Pause before a file that is being written is read again, ms. */
const SECOND_LOOK = 300;
/** An input that stays open is ended after this time, or after this silence when it is whole, ms. */
const LONGEST = LONGEST_ARRIVAL;
const SILENCE = 1_000;
/** Whose input it is may not have been written yet: for so long, ms, it may be anybody's. */
const ANYBODYS = SECOND_LOOK + 100;
/** What lay there at the start is given up after so long without progress, ms: what cannot be taken over holds up nothing for ever. */
const START_GIVEN_UP = 60_000;

/** A file that was read, and whose input is not in the journal yet. */
interface Underway {
  /** Unix ms. */
  readonly begun: number;
  /** Whose it is; null: not known. */
  readonly key: string | null;
  readonly isUnfinished: boolean;
}

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
  readonly #underway = new Map<string, Underway>();
  /** Files that this process has removed since their events are kept: of each the system has still to tell. */
  readonly #removed = new Set<string>();
  /** Unix ms of the latest that lay there at the start; undefined: the folder was not listed yet; null: that is in the journal, or given up. */
  #startsWith: number | null | undefined;
  /** When the latest file was handed on, put aside or found gone; Unix ms. */
  #moved: number;
  #closed = false;
  #draining: Promise<void> | null = null;

  constructor(options: SpoolOptions) {
    this.#o = options;
    const { folder, clock, log } = options;
    this.#moved = clock.now();
    this.#handOver = new HandOver({
      ...options,
      ended: (name, end) => {
        if (end === 'refused') return void this.#underway.delete(name);
        if (end === 'removed') this.#removed.add(name);
        this.#done(name);
      },
      // In order again, from the beginning.
      resume: () => {
        this.#queue.clear();
        this.#watch.sweep();
      },
    });
    this.#watch = new FolderWatch({
      folder,
      clock,
      log,
      found: (name) => {
        if (!this.#removed.delete(name)) this.#add(name);
      },
      sweep: () => {
        this.#removed.clear();
        this.#list();
      },
    });
    this.#watch.sweep();
  }

  async idle(): Promise<void> {
    while (this.#draining || !this.#handOver.idle) await Promise.all([this.#draining, this.#handOver.ended()]);
  }

  readonly unread = (): boolean => {
    const last = this.#startsWith;
    if (last === undefined) return true;
    if (last === null) return false;
    const isThere = (begun: number): boolean => begun <= last;
    const first = this.#queue.first;
    const isUnread =
      this.#handOver.paused ||
      (first !== undefined && isThere(begunAt(first))) ||
      [...this.#underway.values()].some(({ begun, isUnfinished }) => !isUnfinished && isThere(begun));
    if (!isUnread || this.#hasStoodStill(START_GIVEN_UP)) this.#startsWith = null;
    return this.#startsWith !== null;
  };

  readonly precedes: MayPrecede = ({ keys, startedAt }) => {
    if (this.#closed || this.#handOver.paused) return false;
    for (const name of this.#watch.unnoticed()) this.#add(name);
    const first = this.#queue.first;
    if (first !== undefined && begunAt(first) < startedAt) return !this.#hasStoodStill(LONGEST_ARRIVAL);
    const now = this.#o.clock.now();
    return [...this.#underway.values()].some(({ begun, key, isUnfinished }) => {
      const limit = isUnfinished && key === null ? ANYBODYS : LONGEST_ARRIVAL;
      const mayWait = isUnfinished ? now - begun < limit : !this.#hasStoodStill(limit);
      return begun < startedAt && mayWait && (key === null || keys.includes(key));
    });
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#watch.close();
    this.#handOver.close();
    for (const cancel of this.#looks.values()) cancel();
    await this.idle();
  }

  #hasStoodStill(ms: number): boolean {
    return Math.abs(this.#o.clock.now() - this.#moved) > ms;
  }

  #add(name: string): void {
    if (this.#handOver.knows(name)) return;
    if (this.#queue.size === 0) this.#moved = this.#o.clock.now();
    this.#queue.add(spoolName(this.#o.folder, name));
    this.#drain();
  }

  #list(): void {
    // What a lost notification hid can wait for the end of a long queue; listing it again and again would take memory.
    if (this.#queue.size < LONG) {
      const there = (listSpool(this.#o.folder) ?? []).filter(({ name }) => !this.#handOver.knows(name));
      if (this.#startsWith === undefined) this.#startsWith = there.map(begunAt).findLast((at) => at > 0) ?? null;
      this.#queue.addAll(there);
    }
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
      const next = this.#queue.take();
      if (next === undefined) return;
      this.#take(next, readSpoolFile(this.#o.folder, next.name, Date.now()));
      await this.#handOver.room();
      if (taken % TURN === 0) await nextTurn();
    }
  }

  #take(spooled: SpoolName, file: SpoolFile): void {
    const { name } = spooled;
    if (file.state === 'unfinished') {
      this.#lookAgain(spooled, file);
      return;
    }
    const wasEnded = this.#forget(name);
    if (file.state === 'unreadable') this.#putAside(name, file.reason);
    if (file.state === 'whole') {
      // The shell has written its last word this moment, unless there is a backlog, and an agent waits for its end.
      if (this.#queue.size === 0 && writerOfPartial(name) !== null) giveWay();
      this.#handOn(name, wasEnded ? markCut(file.envelope) : file.envelope);
    } else this.#done(name);
  }

  #handOn(name: string, envelope: Envelope): void {
    this.#underway.set(name, { begun: envelope.startedAt, key: this.#o.keyOf(envelope), isUnfinished: false });
    this.#handOver.take(name, envelope);
  }

  #done(name: string): void {
    this.#underway.delete(name);
    this.#moved = this.#o.clock.now();
  }

  #putAside(name: string, reason: string): void {
    const trouble = moveToQuarantine(this.#o.folder, name, this.#o.quarantine, Date.now());
    if (trouble) this.#handOver.leaveAlone(name);
    this.#o.log('a file of the spool cannot be read and is in quarantine', { name, reason, trouble });
  }

  /** Ends a writer that waits for an end of its input that does not come. */
  #lookAgain(spooled: SpoolName, file: UnfinishedFile): void {
    const { name } = spooled;
    const open = Date.now() - file.since;
    const key = file.input === null ? null : this.#o.keyOf(file.input);
    this.#underway.set(name, { begun: begunAt(spooled), key, isUnfinished: true });
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

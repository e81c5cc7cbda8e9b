// Hands the spool's events on: a bounded number at once; a file goes when its event is kept, and everything waits when one is not.
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope } from '../../ipc/envelope.ts';
import type { Acknowledgement } from '../../ipc/frames.ts';
import type { Clock } from '../../lib/clock.ts';

/** Envelopes handed on and not yet kept, at most. */
const MAX_IN_FLIGHT = 16;
/** Shortest and longest wait after a refusal, ms. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** What became of a file. removed: its event is kept, and this process has removed it. kept: its event is, and it was gone already, or cannot be removed. */
export type HandedOver = 'removed' | 'kept' | 'refused';

export interface HandOverOptions {
  readonly folder: string;
  /** Resolves once the envelope is kept for good, or with why it is not; then it is offered again later. */
  readonly accept: (envelope: Envelope) => Promise<Acknowledgement>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly clock: Clock;
  /** The pause after a refusal is over. */
  readonly resume: () => void;
  readonly ended: (name: string, end: HandedOver) => void;
}

export class HandOver {
  readonly #o: HandOverOptions;
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Files that cannot be removed: known by their ids when they are read again after a restart. */
  readonly #stuck = new Set<string>();
  #cancelPause: (() => void) | null = null;
  #pause = FIRST_PAUSE;
  #closed = false;

  constructor(options: HandOverOptions) {
    this.#o = options;
  }

  /** Most likely the disk is full: nothing is handed on for now. */
  get paused(): boolean {
    return this.#cancelPause !== null;
  }

  /** Whether this file was handed on already, or is to be left alone. */
  knows(name: string): boolean {
    return this.#inFlight.has(name) || this.#stuck.has(name);
  }

  leaveAlone(name: string): void {
    this.#stuck.add(name);
  }

  take(name: string, envelope: Envelope): void {
    const work = this.#keep(name, envelope).then((end) => {
      this.#inFlight.delete(name);
      this.#o.ended(name, end);
    });
    this.#inFlight.set(name, work);
  }

  /** Resolves when one more may be handed on. */
  async room(): Promise<void> {
    while (this.#inFlight.size >= MAX_IN_FLIGHT) await Promise.race(this.#inFlight.values());
  }

  get idle(): boolean {
    return this.#inFlight.size === 0;
  }

  async ended(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  close(): void {
    this.#closed = true;
    this.#cancelPause?.();
  }

  /** Never rejects. */
  async #keep(name: string, envelope: Envelope): Promise<HandedOver> {
    const answer = await this.#o
      .accept(envelope)
      .catch((error: unknown): Acknowledgement => ({ ok: false, error: String(error) }));
    if (!answer.ok) {
      this.#refused(name, answer.error);
      return 'refused';
    }
    this.#pause = FIRST_PAUSE;
    try {
      unlinkSync(join(this.#o.folder, name));
      return 'removed';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'kept';
      this.#stuck.add(name);
      this.#o.log('a file of the spool cannot be removed', { name, error: (error as Error).message });
      return 'kept';
    }
  }

  #refused(name: string, error: string): void {
    const { log, clock, resume } = this.#o;
    log('an event of the spool could not be kept and is tried again', { name, error });
    if (this.#closed) return; // the next start reads it
    this.#cancelPause ??= clock.setTimer(this.#pause, () => {
      this.#cancelPause = null;
      this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
      resume();
    });
  }
}

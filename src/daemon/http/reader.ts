// Hands reads to their thread: begun with the first read, ended when nobody has read for a while, so that it costs nothing at rest.
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../http/api/refusal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { WhyRules } from '../processing/why.ts';
import type { ReadOver, ReadReply, ReadRequest, ReaderStart } from './reader-thread.ts';
import type { ReadName } from './reads/index.ts';

/** Ms without a read after which the thread ends. */
const IDLE = 15_000;
/** Longest one read takes, ms. */
const PATIENCE = 30_000;
/** Reads that wait at once; one more is refused. */
const MAX_WAITING = 64;
/** Its heap, MB: a list that needs more ends the thread, not the daemon. */
const HEAP = 192;
/** MB for what is read and thrown away; more is held on to for as long as the thread lives. */
const YOUNG = 2;

/** Runs reads; resolves with the result as JSON. Throws Refusal. `over` fires when nobody waits for it any more: what takes long ends then. */
export interface Reader {
  read(name: ReadName, call: unknown, over?: AbortSignal): Promise<Buffer>;
  stop(): Promise<void>;
}

interface Waiting {
  readonly resolve: (json: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly cancel: () => void;
}

export interface ReaderDeps extends ReaderStart {
  /** The thread's program. */
  readonly program: URL;
  readonly clock: Clock;
  /** The settings in force. */
  readonly rules: () => WhyRules;
  /** Machines elsewhere that are not reachable now, with since when, Unix ms. */
  readonly lost: () => ReadonlyMap<string, number>;
}

/** Begins nothing yet. */
export function createReader(deps: ReaderDeps): Reader {
  return new ThreadReader(deps);
}

class ThreadReader implements Reader {
  readonly #deps: ReaderDeps;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #number = 0;
  #cancelIdle: () => void = () => undefined;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  read(name: ReadName, call: unknown, over?: AbortSignal): Promise<Buffer> {
    if (this.#waiting.size >= MAX_WAITING)
      return Promise.reject(new Refusal(503, 'too much is being read at once: try again in a second'));
    const { clock, rules, lost } = this.#deps;
    const worker = this.#begin();
    this.#cancelIdle();
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      const late = (): void => this.#fail(worker, new Refusal(503, 'reading took too long: ask for less'));
      this.#waiting.set(number, { resolve, reject, cancel: clock.setTimer(PATIENCE, late) });
      const given = { now: clock.now(), rules: rules(), lost: lost() };
      worker.postMessage({ number, name, call, ...given } satisfies ReadRequest);
      const end = (): void => {
        if (this.#waiting.has(number)) worker.postMessage({ over: number } satisfies ReadOver);
      };
      if (over?.aborted === true) end();
      else over?.addEventListener('abort', end, { once: true });
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#fail(worker, new Refusal(503, 'the daemon stops'));
    await worker.terminate();
  }

  #begin(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { program, database, titles } = this.#deps;
    const worker = new Worker(program, {
      workerData: { database, titles } satisfies ReaderStart,
      resourceLimits: { maxOldGenerationSizeMb: HEAP, maxYoungGenerationSizeMb: YOUNG },
    });
    this.#worker = worker;
    worker.on('message', (reply: ReadReply) => this.#take(reply));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, new Refusal(503, 'reading was cut off: try again')));
    return worker;
  }

  #take(reply: ReadReply): void {
    const waiting = this.#waiting.get(reply.number);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.number);
    waiting.cancel();
    if ('json' in reply) waiting.resolve(Buffer.from(reply.json.buffer, reply.json.byteOffset, reply.json.byteLength));
    else if (reply.status === null) waiting.reject(new Error(reply.detail));
    else waiting.reject(new Refusal(reply.status, reply.detail));
    if (this.#waiting.size > 0) return;
    this.#cancelIdle = this.#deps.clock.setTimer(IDLE, () => {
      const worker = this.#worker;
      this.#worker = null;
      void worker?.terminate(); // it has nothing under way
    });
  }

  /** Ends the thread: every read under way fails, the next one begins another. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#cancelIdle();
    void worker.terminate();
    for (const { reject, cancel } of this.#waiting.values()) {
      cancel();
      reject(error);
    }
    this.#waiting.clear();
  }
}

// Looks at the files of one file system that may never answer, by a process that is begun on demand and abandoned when it hangs.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../lib/clock.ts';
import type { ReaderCall, ReaderReply } from './reader-process.ts';
import type { FileAnswer, FileRequest } from './file-requests.ts';

/** Ms that anybody waits for an answer. */
export const PATIENCE = 1_000;
/** With a call that has waited for so long (ms) no other is taken: it would wait as well. */
const LATE = 500;
/** Ms after which the process is taken to hang; a disk that has to spin up, or a server far away, has answered by then. */
const HANGS = 8_000;
/** Ms until another is tried. */
const PAUSE = 30_000;
/** Ms without a call after which it is ended. */
const IDLE = 30_000;
/** Calls under way at most. */
const MAX_CALLS = 64;

export interface MountReaderDeps {
  readonly clock: Clock;
  /** The process's program. */
  readonly program: string;
  /** The file system has stopped answering, or answers again. */
  readonly changed: (answers: boolean) => void;
}

/** One call under way; `settle` has been called once nobody waits for it. */
interface Call {
  readonly at: number;
  readonly settle: (answer: FileAnswer) => void;
  readonly forget: () => void;
}

/**
 * | state   | it                                   | becomes                                                     |
 * |---------|--------------------------------------|-------------------------------------------------------------|
 * | resting | has no process                       | running: with a call                                        |
 * | running | has one                              | resting: nothing was asked for a while; paused: it hangs    |
 * | paused  | answers nothing                      | resting: some time has passed, and the one that hung is gone |
 */
export class MountReader {
  readonly #deps: MountReaderDeps;
  readonly #calls = new Map<number, Call>();
  #child: ChildProcess | null = null;
  /** Unix ms since when it takes calls; null: it has not begun to. */
  #readyAt: number | null = null;
  #number = 0;
  #cancelIdle = (): void => undefined;
  /** Unix ms. */
  #pausedUntil: number | null = null;
  /** Killed processes that the system cannot end as long as their calls hang. */
  #leaving = 0;

  constructor(deps: MountReaderDeps) {
    this.#deps = deps;
  }

  /** Has no process, and nothing to remember. */
  get isResting(): boolean {
    return this.#child === null && !this.#isPaused() && this.#leaving === 0;
  }

  /** Null also where the file system does not answer: at once where that is known. Never rejects. */
  ask(request: FileRequest): Promise<FileAnswer> {
    const child = this.#isPaused() || this.#isLate() || this.#calls.size >= MAX_CALLS ? null : this.#running();
    if (child === null) return Promise.resolve(null);
    this.#cancelIdle();
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve) => {
      const { clock } = this.#deps;
      const cancelWait = clock.setTimer(PATIENCE, () => resolve(null));
      const cancelHang = clock.setTimer(HANGS, () => this.#abandon(child));
      const forget = (): void => {
        cancelWait();
        cancelHang();
      };
      this.#calls.set(number, { at: clock.now(), settle: resolve, forget });
      child.send({ number, request } satisfies ReaderCall, () => undefined); // its end says what was not sent
    });
  }

  /** Waits for nothing. */
  stop(): void {
    this.#drop();
  }

  #isPaused(): boolean {
    if (this.#pausedUntil === null || (this.#leaving === 0 && this.#deps.clock.now() >= this.#pausedUntil))
      return false;
    return true;
  }

  #isLate(): boolean {
    const [oldest] = this.#calls.values();
    if (oldest === undefined || this.#readyAt === null) return false;
    return this.#deps.clock.now() - Math.max(oldest.at, this.#readyAt) > LATE;
  }

  #running(): ChildProcess | null {
    if (this.#child !== null) return this.#child;
    try {
      const child = spawn(process.execPath, [this.#deps.program], {
        cwd: '/',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        windowsHide: true,
      });
      this.#follow(child);
      return child;
    } catch {
      return null; // no process can be started now
    }
  }

  #follow(child: ChildProcess): void {
    this.#child = child;
    this.#readyAt = null;
    // Nobody waits for it, at the end neither.
    child.unref();
    child.channel?.unref();
    child.on('message', (reply: ReaderReply) => this.#take(child, reply));
    child.on('error', () => this.#abandon(child));
    child.on('exit', () => this.#abandon(child));
  }

  #take(child: ChildProcess, { number, answer }: ReaderReply): void {
    if (child !== this.#child) return;
    const { clock, changed } = this.#deps;
    if (number === 0) this.#readyAt = clock.now();
    const call = this.#calls.get(number);
    if (call === undefined) return;
    this.#calls.delete(number);
    call.forget();
    call.settle(answer);
    if (this.#pausedUntil !== null) changed(true);
    this.#pausedUntil = null;
    if (this.#calls.size === 0) this.#cancelIdle = clock.setTimer(IDLE, () => this.#drop());
  }

  /** It hangs, or has ended by itself. */
  #abandon(child: ChildProcess): void {
    if (child !== this.#child) return;
    const { clock, changed } = this.#deps;
    if (this.#pausedUntil === null) changed(false);
    this.#pausedUntil = clock.now() + PAUSE;
    this.#drop();
  }

  #drop(): void {
    const child = this.#child;
    this.#child = null;
    this.#cancelIdle();
    for (const { settle, forget } of this.#calls.values()) {
      forget();
      settle(null);
    }
    this.#calls.clear();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    if (child.pid === undefined) return; // it never began
    this.#leaving += 1;
    child.on('exit', () => {
      this.#leaving -= 1;
    });
    child.kill('SIGKILL');
  }
}

// Follows a file of lines that grows: reads what is new, in bounded pieces, and hands on the lines that matter.
import { constants, type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Background } from '../../../lib/async/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import { isObject, type JsonObject, parseJson } from '../../../lib/json/json.ts';

/** Read at once. */
const PIECE = 64 * 1024;
/** A longer line is skipped. */
const LONGEST_LINE = 1024 * 1024;
/** Where nothing can be watched, ms between two looks. */
const UNWATCHED = 500;

/** What is to be done with it. */
export interface FollowOptions {
  readonly path: string;
  /** Only lines with one of these in them are parsed. */
  readonly marks: readonly string[];
  readonly clock: Clock;
  readonly background: Background;
  readonly line: (value: JsonObject) => void;
  /** A line could not be taken; the next ones are. */
  readonly failed: (error: unknown) => void;
  /** The file is gone; or it cannot be read any more, and `why` says so. Called once. */
  readonly gone: (why: string | null) => void;
}

/** A file that is followed. */
export class EventsFile {
  readonly #o: FollowOptions;
  #file: FileHandle | null = null;
  #watcher: FSWatcher | null = null;
  #cancel = (): void => undefined;
  #position = 0;
  /** The beginning of a line that is still being written; null: of one that is skipped. */
  #rest: Buffer | null = Buffer.alloc(0);
  #state: 'idle' | 'reading' | 'again' | 'over' = 'idle';

  constructor(options: FollowOptions) {
    this.#o = options;
  }

  /** Reads what is there, and follows from then on; a text says why it cannot. */
  async start(): Promise<string | null> {
    const why = await this.#open();
    if (why !== null) {
      this.close();
      return why;
    }
    this.#watch();
    await this.#read();
    return null;
  }

  /** Null: it is open. */
  async #open(): Promise<string | null> {
    try {
      this.#file = await open(this.#o.path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const found = await this.#file.stat();
      return found.isFile() && found.uid === process.getuid?.() ? null : 'it is no file of this user';
    } catch (error) {
      return systemFault(error);
    }
  }

  /** Nothing is followed any more: it was closed, or the file is gone. */
  get isOver(): boolean {
    return this.#state === 'over';
  }

  close(): void {
    this.#state = 'over';
    this.#cancel();
    this.#watcher?.close();
    const file = this.#file;
    this.#file = null;
    if (file !== null) this.#o.background.run(file.close());
  }

  /** The folder, as the file may be removed. */
  #watch(): void {
    try {
      this.#watcher = watch(dirname(this.#o.path), () => this.#o.background.run(this.#read()));
      this.#watcher.on('error', () => this.#poll());
    } catch {
      this.#poll(); // no more can be watched on this machine
    }
  }

  #poll(): void {
    if (this.#state === 'over') return;
    this.#cancel();
    this.#cancel = this.#o.clock.setTimer(UNWATCHED, () => {
      this.#o.background.run(this.#read());
      this.#poll();
    });
  }

  async #read(): Promise<void> {
    if (this.#state === 'reading') this.#state = 'again';
    if (this.#state !== 'idle') return;
    this.#state = 'reading';
    const piece = Buffer.alloc(PIECE);
    for (;;) {
      const bytesRead = await this.#piece(piece);
      if (this.isOver) return;
      if (typeof bytesRead === 'string') return this.#end(bytesRead);
      if (bytesRead === null) return this.#end(null);
      this.#position += bytesRead;
      this.#take(piece.subarray(0, bytesRead));
      if (this.isOver) return;
      if (bytesRead === 0 && !this.#isWanted()) return;
    }
  }

  /** How many bytes were read; null: all was read, and the file is removed; a text: why it cannot be read. */
  async #piece(into: Buffer): Promise<number | string | null> {
    try {
      const { bytesRead } = (await this.#file?.read(into, 0, PIECE, this.#position)) ?? { bytesRead: 0 };
      return bytesRead === 0 && (await this.#file?.stat())?.nlink === 0 ? null : bytesRead;
    } catch (error) {
      return systemFault(error);
    }
  }

  /** Whether something came while it was read; else it is idle now. */
  #isWanted(): boolean {
    const again = this.#state === 'again';
    this.#state = again ? 'reading' : 'idle';
    return again;
  }

  #end(why: string | null): void {
    this.close();
    this.#o.gone(why);
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const line = this.#rest === null ? null : Buffer.concat([this.#rest, bytes.subarray(from, end)]);
      this.#rest = Buffer.alloc(0);
      from = end + 1;
      if (line !== null) this.#line(line.toString('utf8'));
      if (this.isOver) return;
    }
    if (this.#rest !== null) this.#rest = Buffer.concat([this.#rest, bytes.subarray(from)]);
    if ((this.#rest?.length ?? 0) > LONGEST_LINE) this.#rest = null;
  }

  #line(text: string): void {
    if (!this.#o.marks.some((mark) => text.includes(mark))) return;
    const value = parseJson(text);
    if (!isObject(value)) return;
    try {
      this.#o.line(value);
    } catch (error) {
      this.#o.failed(error);
    }
  }
}

/** What the system says; throws what is no word of it. */
function systemFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return message;
  throw error;
}

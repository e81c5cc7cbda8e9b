// Files and folders that somebody else names: on a file system that may never answer they are looked at by a process of its own.
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/async/deadline.ts';
import { PathFollower } from '../lib/mounts/follow-path.ts';
import { createPresentMounts, type PresentMounts } from '../lib/mounts/present-mounts.ts';
import { MountReader, PATIENCE } from './mount-reader.ts';
import { type FileAnswer, type FileEnd, type FileEntry, type FileRequest, perform } from './file-requests.ts';

/** Ms after which a look is taken to hang. */
const HANGS = 1_000;

/** Nothing is under way. */
export class LocalReader {
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  /** Unix ms since when one is under way; null: none is. */
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whatever is asked now waits for a look that hangs. */
  get hangs(): boolean {
    return this.#since !== null && this.#clock.now() - this.#since > HANGS;
  }

  /** Null also when it does not come in time. Never rejects. */
  ask(request: FileRequest): Promise<FileAnswer> {
    return new Promise((resolve) => {
      let isWanted = true;
      const cancel = this.#clock.setTimer(PATIENCE, () => {
        isWanted = false;
        resolve(null);
      });
      this.#last = this.#last.then(async () => {
        if (!isWanted) return;
        this.#since = this.#clock.now();
        const answer = await perform(request); // never rejects
        this.#since = null;
        cancel();
        resolve(answer);
      });
    });
  }
}

export type { FileEntry } from './file-requests.ts';

/** Null everywhere: there is none, it may not be read, or its file system does not answer within a second. Nothing here rejects. */
export interface Files {
  /** Where a path leads, by its links. */
  realPath(path: string): Promise<string | null>;
  /** What stands at a path; a link is not followed. */
  entry(path: string): Promise<FileEntry | null>;
  /** What a path leads to. */
  target(path: string): Promise<FileEntry | null>;
  /** The first `most` bytes of a plain file as text. */
  start(path: string, most: number): Promise<string | null>;
  /** The last `most` bytes. */
  end(path: string, most: number): Promise<FileEnd | null>;
  /** Names in a folder, `most` of them. */
  names(path: string, most: number): Promise<readonly string[] | null>;
  /** Ends every process; waits for none. */
  stop(): void;
}

export interface FilesDeps {
  readonly clock: Clock;
  readonly mounts: PresentMounts;
  /** dist/file-reader.js. */
  readonly program: string;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** File systems with a process, or a memory of one, at most. */
const MOST_MOUNTS = 16;
const OPENS_NO_LINK = constants.O_NOFOLLOW !== undefined;

/** Begins nothing yet. */
export function createFiles(deps: FilesDeps): Files {
  return new OutsideFiles(deps);
}

/** Those of this machine. `dist`: the folder of the built programs. */
export function filesOfThisMachine(dist: string, { clock, log }: Pick<FilesDeps, 'clock' | 'log'>): Files {
  const mounts = createPresentMounts(process.platform, clock.now);
  return createFiles({ clock, log, mounts, program: join(dist, 'file-reader.js') });
}

class OutsideFiles implements Files {
  readonly #deps: FilesDeps;
  readonly #local: LocalReader;
  readonly #readers = new Map<string, MountReader>();
  readonly #paths: PathFollower;

  constructor(deps: FilesDeps) {
    this.#deps = deps;
    this.#local = new LocalReader(deps.clock);
    // Each part is looked at on a file system that was judged before it is touched.
    this.#paths = new PathFollower(async (path) => {
      const found = await this.#entry(path);
      return found === null ? null : { target: found.target, isFile: found.kind === 'file' };
    }, deps.clock.now);
  }

  realPath(path: string): Promise<string | null> {
    return this.#inTime(() => this.#paths.follow(path));
  }

  entry(path: string): Promise<FileEntry | null> {
    return this.#inTime(() => this.#unfollowed(path));
  }

  target(path: string): Promise<FileEntry | null> {
    return this.#inTime(async () => {
      const found = await this.#unfollowed(path);
      if (found?.kind !== 'link') return found;
      const real = await this.#paths.follow(path);
      return real === null ? null : this.#entry(real);
    });
  }

  async start(path: string, most: number): Promise<string | null> {
    return (await this.#inTime(() => this.#read(path, 'start', most))) as string | null; // what `perform` answers to this word
  }

  async end(path: string, most: number): Promise<FileEnd | null> {
    return (await this.#inTime(() => this.#read(path, 'end', most))) as FileEnd | null; // as above
  }

  async names(path: string, most: number): Promise<readonly string[] | null> {
    return (await this.#inTime(() => this.#read(path, 'names', most))) as readonly string[] | null; // as above
  }

  stop(): void {
    for (const reader of this.#readers.values()) reader.stop();
  }

  /** All looks of a call together. */
  #inTime<T>(work: () => Promise<T | null>): Promise<T | null> {
    return withDeadline(this.#deps.clock, PATIENCE, null, work);
  }

  async #unfollowed(path: string): Promise<FileEntry | null> {
    const here = await this.#paths.inItsFolder(path);
    return here === null ? null : this.#entry(here);
  }

  async #read(path: string, look: 'start' | 'end' | 'names', most: number): Promise<FileAnswer> {
    // A file is seldom a link, and one is not opened where the system can be asked for that: a look less.
    const here = OPENS_NO_LINK && look !== 'names' ? await this.#paths.inItsFolder(path) : null;
    const found = here === null ? null : await this.#ask({ look, path: here, most });
    if (found !== null) return found;
    const real = await this.#paths.follow(path);
    return real === null || real === here ? null : this.#ask({ look, path: real, most });
  }

  async #entry(path: string): Promise<FileEntry | null> {
    return (await this.#ask({ look: 'entry', path })) as FileEntry | null; // what `perform` answers to this word
  }

  async #ask(request: FileRequest): Promise<FileAnswer> {
    const { id, type, isLocal } = await this.#deps.mounts(request.path);
    if (isLocal && !this.#local.hangs) return this.#local.ask(request);
    return this.#readerOf(id, type, request.path)?.ask(request) ?? null;
  }

  #readerOf(id: string, type: string, path: string): MountReader | null {
    const known = this.#readers.get(id);
    if (known !== undefined) return known;
    for (const [other, reader] of this.#readers) if (reader.isResting) this.#readers.delete(other);
    if (this.#readers.size >= MOST_MOUNTS) return null;
    const { clock, program, log } = this.#deps;
    const changed = (answers: boolean): void =>
      log(answers ? 'a file system answers again' : 'a file system does not answer: what lies there is left out', {
        type,
        path,
      });
    const reader = new MountReader({ clock, program, changed });
    this.#readers.set(id, reader);
    return reader;
  }
}

// Opens one file of the spool, following no link, and reads no more of it than an input can have.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { INPUT_LIMIT } from '../../ipc/envelope.ts';
import { endMark } from '../../ipc/shell-spool-file.ts';

/** What is known of a file besides its bytes; times are Unix ms. */
export interface SpoolStat {
  readonly inode: number;
  readonly begun: number;
  readonly changed: number;
}

/** Its bytes, or why there are none: it is being written this moment, it is gone, or it cannot be read. */
export type SpoolContent =
  | { readonly state: 'read'; readonly bytes: Buffer; readonly stat: SpoolStat }
  | { readonly state: 'fresh'; readonly stat: SpoolStat }
  | { readonly state: 'gone' }
  | { readonly state: 'unreadable'; readonly reason: string };

/** A file that changed less than this time ago is not read whole only to see that it is unfinished, ms. */
const FRESH = 200;
/** An input and its header. */
const LARGEST = INPUT_LIMIT + 1024 * 1024;

/** `shell`: pid of the shell that writes it in place; null: it was renamed into its place, whole. `now`: Unix ms. */
export function readSpoolContent(path: string, shell: number | null, now: number): SpoolContent {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let fd: number | null = null;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return readOpened(fd, fstatSync(fd), shell, now);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { state: 'gone' };
    if (code === 'ELOOP' || code === 'EMLINK') return { state: 'unreadable', reason: 'a symbolic link' };
    return { state: 'unreadable', reason: (error as Error).message };
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function readOpened(fd: number, found: Stats, shell: number | null, now: number): SpoolContent {
  if (!found.isFile()) return { state: 'unreadable', reason: 'no regular file' };
  const fits = found.size <= LARGEST;
  // A shell goes on writing what is larger than any input; that is cut, and a cut input counts.
  if (shell === null && !fits) return { state: 'unreadable', reason: 'larger than any hook input' };
  const stat = { inode: found.ino, begun: Math.round(birth(found)), changed: found.mtimeMs };
  const isFresh = shell !== null && now - found.mtimeMs < FRESH && found.size < LARGEST;
  if (isFresh && !hasEndMark(fd, found.size, shell)) return { state: 'fresh', stat };
  return { state: 'read', bytes: fits ? readFileSync(fd) : readStart(fd), stat };
}

function readStart(fd: number): Buffer {
  const bytes = Buffer.alloc(LARGEST);
  return bytes.subarray(0, readSync(fd, bytes, 0, LARGEST, 0));
}

/** Where a file system knows no time of birth, it shows a later one or none. */
function birth({ birthtimeMs, mtimeMs }: Stats): number {
  return birthtimeMs > 0 && birthtimeMs <= mtimeMs ? birthtimeMs : mtimeMs;
}

function hasEndMark(fd: number, size: number, pid: number): boolean {
  const mark = Buffer.from(endMark(pid));
  const tail = Buffer.alloc(mark.length);
  const length = readSync(fd, tail, 0, tail.length, Math.max(0, size - mark.length));
  return length === mark.length && tail.equals(mark);
}

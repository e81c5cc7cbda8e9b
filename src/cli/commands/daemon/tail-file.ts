// The lines of a growing file from near its end on, across rotation.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Most bytes read back from the end at first. */
const TAIL = 4_000_000;
/** Bytes of one read, and of the longest line. */
const CHUNK = 64 * 1024;

/** Reads whole lines from near the end on; a file that was rotated is read to its end by then, and the new one from its beginning. */
export function openTail(path: string): { read: () => string[] } {
  let open: { fd: number; inode: number; at: number; rest: string; decoder: StringDecoder } | null = null;
  const begin = (back: number): void => {
    try {
      const fd = openSync(path, 'r');
      const { size, ino } = statSync(path);
      open = { fd, inode: ino, at: Math.max(0, size - back), rest: '', decoder: new StringDecoder('utf8') };
      if (open.at > 0) open.rest = '\u0000'; // the first line is likely cut: it is dropped below
    } catch {
      open = null; // not there yet
    }
  };
  const lines = (): string[] => {
    const found: string[] = [];
    const buffer = Buffer.alloc(CHUNK);
    while (open) {
      const length = readSync(open.fd, buffer, 0, CHUNK, open.at);
      if (length === 0) break;
      open.at += length;
      const parts = (open.rest + open.decoder.write(buffer.subarray(0, length))).split('\n');
      open.rest = (parts.pop() ?? '').slice(-CHUNK);
      found.push(...parts.filter((line) => line !== '' && !line.startsWith('\u0000')));
    }
    return found;
  };
  begin(TAIL);
  return {
    read: () => {
      const found = lines();
      if (open && inodeOf(path) === open.inode && sizeOf(path) >= open.at) return found;
      if (open) closeSync(open.fd);
      begin(Number.POSITIVE_INFINITY);
      return [...found, ...lines()];
    },
  };
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

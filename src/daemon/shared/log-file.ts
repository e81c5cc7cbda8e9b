// The log's file: appended to in one write a line, rotated by size, harmless when the disk is full.
import { closeSync, fstatSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { openToAppend } from '../../runtime/plain-file.ts';
import { makePrivateFolder } from '../../runtime/private-folder.ts';

/** Bytes of one file: 5 MB. */
const SIZE = 5_000_000;
/** Older files kept: daemon.log.1 is the youngest. */
const OLDER = 3;

/** Where pino writes to. */
export interface LogFile {
  write(line: string): void;
}

/** Opens the log for appending, 0600. */
export function openLogFile(path: string, size = SIZE): LogFile {
  let file: { fd: number; bytes: number } | null = null;
  const open = (): { fd: number; bytes: number } => {
    makePrivateFolder(dirname(path)); // where that cannot be, opening fails and says so
    const fd = openToAppend(path);
    return { fd, bytes: fstatSync(fd).size };
  };
  const turnOver = (fd: number): void => {
    closeSync(fd);
    for (let i = OLDER; i >= 1; i--) move(i === 1 ? path : `${path}.${i - 1}`, `${path}.${i}`);
  };
  return {
    write: (line) => {
      try {
        file ??= open();
        if (file.bytes + line.length > size && file.bytes > 0) {
          turnOver(file.fd);
          file = open();
        }
        file.bytes += writeSync(file.fd, line);
      } catch {
        file = null; // a full or read-only disk, or a pipe in its place, must not stop the daemon; the next line tries again
      }
    },
  };
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // there is no older file yet
  }
}

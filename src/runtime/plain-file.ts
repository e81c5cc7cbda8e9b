// Files that must be plain files: a pipe or device in their place is neither waited for nor written to.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const AT_ONCE = O_NONBLOCK | O_NOCTTY;

/** Opens it for appending, 0600, made if it is missing. Throws for anything that is no plain file. */
export function openToAppend(path: string): number {
  return opened(path, O_WRONLY | O_APPEND | O_CREAT);
}

/** Opens it for reading. Throws for anything that is no plain file. */
export function openToRead(path: string): number {
  return opened(path, O_RDONLY);
}

/** Its text, up to `limit` bytes. Throws for anything that is no plain file. */
export function readPlainFile(path: string, limit: number): string {
  const fd = openToRead(path);
  try {
    const bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size, limit));
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

function opened(path: string, flags: number): number {
  const fd = openSync(path, flags | AT_ONCE, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${path} is no file`);
}

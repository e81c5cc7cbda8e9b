// Reads somebody's settings file: its bytes, mode and owner behind the user's symlink, with a clear error for what cannot be read.
import { constants } from 'node:fs';
import { access, lstat, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DISK_FULL } from '../../src/lib/files/disk-full.ts';
import { UserError } from '../../src/model/errors.ts';

/** A file as it was read. */
export interface FileState {
  /** As named by the client. */
  readonly path: string;
  /** Where the bytes are: behind symlinks. */
  readonly target: string;
  /** Null: there is no such file yet. */
  readonly bytes: Buffer | null;
  readonly mode: number | null;
  readonly uid: number | null;
  readonly gid: number | null;
}

/** Largest settings file that is edited. */
const LIMIT = 64 * 1024 * 1024;

/** What is at a path now. */
export async function readState(path: string): Promise<FileState> {
  const target = await follow(path);
  try {
    const facts = await stat(target);
    if (!facts.isFile()) throw new UserError(`${path} is not a file: move it away, then try again`);
    if (facts.size > LIMIT) throw new UserError(`${path} is larger than 64 MB: is it the right file?`);
    return { path, target, bytes: await readFile(target), mode: facts.mode & 0o7777, uid: facts.uid, gid: facts.gid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { path, target, bytes: null, mode: null, uid: null, gid: null };
    throw describeFileError(error, path, 'read');
  }
}

/** The file behind a symlink, one that does not exist yet too. */
async function follow(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new UserError(`${path} is a symlink to itself: correct it, then try again`);
    if (codeOf(error) !== 'ENOENT') throw describeFileError(error, path, 'read');
  }
  let now = resolve(path);
  for (let step = 0; step < 40; step++) {
    const facts = await lstat(now).catch(() => null); // not there: this is the place
    if (!facts?.isSymbolicLink()) return now;
    now = resolve(dirname(now), await readlink(now));
  }
  throw new UserError(`${path} is a symlink to itself: correct it, then try again`);
}

/** Refuses a file or folder that may not be written, before anything is done. */
export async function refuseReadOnly(state: FileState): Promise<void> {
  const may = (path: string): Promise<boolean> =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
  if (state.bytes !== null && !(await may(state.target)))
    throw new UserError(`${state.path} is read-only: allow writing (chmod u+w), then try again (nothing was changed)`);
  const folder = dirname(state.target);
  if (state.bytes !== null && !(await may(folder)))
    throw new UserError(`${folder} is read-only: allow writing (chmod u+w), then try again (nothing was changed)`);
}

/** The system's code of an error, when it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied: allow it for your user, then try again',
  EPERM: 'not permitted: allow it for your user, then try again',
  EROFS: 'it is on a read-only file system',
  ENOSPC: DISK_FULL,
  EFBIG: 'it would be larger than this process may write: raise its limit (ulimit -f), then try again',
  EDQUOT: 'your disk quota is used up: free some space, then try again',
  ENOTDIR: 'a part of its path is a file, not a folder: move that away, then try again',
  EISDIR: 'it is a folder: move it away, then try again',
};

/** Expected trouble with a file as one line; anything else is passed on. */
export function describeFileError(error: unknown, path: string, verb: 'read' | 'write'): Error {
  if (error instanceof UserError) return error;
  const words = WORDS[codeOf(error) ?? ''];
  if (words) return new UserError(`cannot ${verb} ${path}: ${words} (nothing was changed)`);
  return error instanceof Error ? error : new Error(String(error));
}

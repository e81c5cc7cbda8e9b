// Replaces a file's content atomically: a temporary file beside it, synced, then renamed; mode and owner stay.
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FileState, codeOf, describeFileError, readState, refuseReadOnly } from './read.ts';

/** The file was changed by somebody else since it was read: read it again and start over. */
export class ConcurrentEdit extends Error {
  override readonly name = 'Changed';
}

/** Writes `bytes` where `state` was read, if it is still as it was read; returns the folders that had to be made, outermost first. */
export async function replaceFile(state: FileState, bytes: Uint8Array, newMode = 0o600): Promise<string[]> {
  await refuseReadOnly(state);
  const folder = dirname(state.target);
  const made = await makeFolders(folder);
  const temporary = join(folder, `.${basename(state.target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', state.mode ?? newMode);
    try {
      await file.writeFile(bytes);
      await keepOwner(file, state);
      if (state.mode !== null) await file.chmod(state.mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await refuseChanged(state);
    await rename(temporary, state.target);
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // it may never have been made
    await removeFolders(made);
    if (error instanceof ConcurrentEdit) throw error;
    throw describeFileError(error, state.path, 'write');
  }
  return made;
}

/** Removes the file, if it is still as it was read. */
export async function removeFile(state: FileState): Promise<void> {
  await refuseReadOnly(state);
  await refuseChanged(state);
  await unlink(state.target).catch((error: unknown) => {
    throw describeFileError(error, state.path, 'write');
  });
}

/** Removes folders that are empty, innermost first. */
export async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of [...made].sort((a, b) => b.length - a.length)) await rmdir(folder).catch(() => undefined); // in use by others now: it stays
}

/** Makes a folder and its parents; returns those that were not there, outermost first. */
async function makeFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const there = await stat(at).then(
      () => true,
      () => false,
    );
    if (there || dirname(at) === at) break;
    missing.unshift(at);
  }
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw describeFileError(error, folder, 'write');
  }
  return missing;
}

/** Gives the new file the old one's owner; only root can, and needs to. */
async function keepOwner(file: FileHandle, state: FileState): Promise<void> {
  if (state.uid === null || state.gid === null || process.platform === 'win32') return;
  const now = await file.stat();
  if (now.uid === state.uid && now.gid === state.gid) return;
  await file.chown(state.uid, state.gid).catch((error: unknown) => {
    if (codeOf(error) !== 'EPERM') throw error; // a file of another user's that we may write: ours from now on
  });
}

async function refuseChanged(state: FileState): Promise<void> {
  const now = await readState(state.path);
  const same = now.bytes === null || state.bytes === null ? now.bytes === state.bytes : now.bytes.equals(state.bytes);
  if (!same || now.target !== state.target) throw new ConcurrentEdit(state.path);
}

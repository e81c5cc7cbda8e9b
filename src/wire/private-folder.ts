// Folders that nobody else may look into: 0700, ours, no symlink.
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';

/** Makes the folder if it is missing; null when it is usable, else what is wrong with it. Never throws. */
export function makePrivateFolder(folder: string): string | null {
  try {
    makeWithParents(folder);
  } catch (error) {
    // Something that is no folder may stand there: looked at below.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return `${folder}: ${(error as Error).message}`;
  }
  return checkPrivateFolder(folder);
}

/** Not `recursive`: Node's tries for ever where a folder is there and takes none, as /proc. */
function makeWithParents(folder: string): void {
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    const end = Math.max(folder.lastIndexOf('/'), process.platform === 'win32' ? folder.lastIndexOf('\\') : -1);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || end < 1) throw error;
    try {
      makeWithParents(folder.slice(0, end));
    } catch (above) {
      if ((above as NodeJS.ErrnoException).code !== 'EEXIST') throw above; // made by another process just now
    }
    mkdirSync(folder, 0o700);
  }
}

/** As {@link makePrivateFolder}, for a folder that must be there. */
export function checkPrivateFolder(folder: string): string | null {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory()) return `${folder} must be a folder, not a link`;
    const uid = process.getuid?.();
    if (uid === undefined) return null; // Windows: the user's profile is private
    if (found.uid !== uid) return `${folder} belongs to another user`;
    if (found.mode & 0o077) chmodSync(folder, 0o700);
    return null;
  } catch (error) {
    return `${folder}: ${(error as Error).message}`;
  }
}

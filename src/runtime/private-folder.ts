// Folders that nobody else can read: 0700, owned by this user, no symlink.
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { joinPath } from './join-path.ts';

/** Makes the folder if it is missing; null when it is usable, else what is wrong with it. Never throws. */
export function makePrivateFolder(folder: string): string | null {
  let why: Error | undefined;
  // One after the other and not `recursive`: Node's loops for ever in a folder that accepts no new ones, such as /proc.
  if (!existsSync(folder))
    folder.split(joinPath('', '')).reduce((above, name) => {
      const path = joinPath(above, name);
      try {
        mkdirSync(path, 0o700);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') why ??= error as Error;
      }
      return path;
    });
  const trouble = checkPrivateFolder(folder);
  return trouble && why ? `${folder}: ${why.message}` : trouble;
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

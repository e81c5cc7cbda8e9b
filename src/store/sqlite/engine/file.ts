// The database file on the disk: its folder, its rights.
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../../model/errors.ts';

/** A folder that everybody may write to, such as /tmp, is not ours to close. */
const SHARED = 0o1000;

/** Makes a folder of 0700 and an empty file of 0600 (SQLite gives its side files the same); a symbolic link is refused. */
export function prepareFile(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & SHARED) === 0) chmodSync(folder, 0o700);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new UserError(`${file} is not a regular file: move it away, belfry keeps its journal there`);
  if (!found)
    closeSync(openSync(file, 'a', 0o600)); // another process may have made it meanwhile
  else if ((found.mode & 0o777) !== 0o600) chmodSync(file, 0o600);
}

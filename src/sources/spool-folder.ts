// The spool's folder: its files in order of time, and the quarantine for those that cannot be read.
import { chmodSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pruneFolder, QUARANTINED } from '../lib/prune-folder.ts';
import { writerOfPartial } from '../ipc/shell-spool-file.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';
import { SPOOL_ENDING } from '../ipc/spool.ts';
import { isSpoolName } from './spool-file.ts';

/** Names of the spool's files, oldest first; null when the folder cannot be used. */
export function listSpool(folder: string): string[] | null {
  try {
    const names = readdirSync(folder).filter(isSpoolName);
    const open = new Map(names.filter((name) => !named(name)).map((name) => [name, openKey(folder, name)]));
    return names.sort((a, b) => {
      // Two names that say their time compare as they are: a backlog may have a hundred thousand.
      const [x, y] = named(a) && named(b) ? [a, b] : [open.get(a) ?? hexOf(a), open.get(b) ?? hexOf(b)];
      return x < y ? -1 : x > y ? 1 : 0;
    });
  } catch {
    return null; // removed; the next sweep makes it again
  }
}

/** An event's name begins with its time in hexadecimal; an open file has it in its times only. */
const named = (name: string): boolean => name.endsWith(SPOOL_ENDING);

const hexOf = (name: string): string => name.replace(/^\.\d+\./, '').replaceAll('-', '');

function openKey(folder: string, name: string): string {
  if (writerOfPartial(name) === null) return hexOf(name);
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return Math.round(found?.birthtimeMs || found?.mtimeMs || 0)
    .toString(16)
    .padStart(12, '0');
}

/** Moves a file to the quarantine, 0600, where the oldest of too many go; null when it is there, else why not. */
export function moveToQuarantine(folder: string, name: string, quarantine: string, now: number): string | null {
  const trouble = makePrivateFolder(quarantine);
  if (trouble) return trouble;
  try {
    const from = join(folder, name);
    const link = lstatSync(from).isSymbolicLink();
    if (!link) chmodSync(from, 0o600);
    renameSync(from, join(quarantine, `${now}-${name.replace(/^\./, '')}`));
    pruneFolder(quarantine, QUARANTINED);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : (error as Error).message;
  }
}

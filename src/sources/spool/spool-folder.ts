// The spool's folder: its files in order of time, and the quarantine for those that cannot be read.
import { chmodSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pruneFolder, QUARANTINED } from '../../lib/files/prune-folder.ts';
import { writerOfPartial } from '../../ipc/shell-spool-file.ts';
import { makePrivateFolder } from '../../runtime/private-folder.ts';
import { isSpoolName } from './spool-file.ts';
import { bySpoolOrder, type SpoolName } from './spool-queue.ts';

/** The spool's files in the order of their events; null when the folder cannot be used. */
export function listSpool(folder: string): SpoolName[] | null {
  try {
    return readdirSync(folder)
      .filter(isSpoolName)
      .map((name) => spoolName(folder, name))
      .sort(bySpoolOrder);
  } catch {
    return null; // removed; the next sweep makes it again
  }
}

/** An event's name begins with its time; an open file has it in its times only. */
export function spoolName(folder: string, name: string): SpoolName {
  if (writerOfPartial(name) === null) return { name, order: name.replace(/^\.\d+\./, '').replaceAll('-', '') };
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  const begun = Math.round(found?.birthtimeMs || found?.mtimeMs || 0);
  return { name, order: begun.toString(16).padStart(12, '0') };
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

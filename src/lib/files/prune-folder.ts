// Keeps a folder within a number of files: those that changed longest ago go first.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Most files in quarantine, whoever put them there. */
export const QUARANTINED = 500;

/** Removes what is more than `most`, following no link. Never throws: what cannot be removed stays. */
export function pruneFolder(folder: string, most: number): void {
  try {
    const names = readdirSync(folder);
    if (names.length <= most) return;
    const aged = names.map((name) => ({
      name,
      at: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }));
    aged.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
    for (const { name } of aged.slice(0, names.length - most))
      rmSync(join(folder, name), { recursive: true, force: true });
  } catch {
    // the next one that is put there tries again
  }
}

// Files that wait for the daemon in a folder of its home.
import { readdirSync } from 'node:fs';

/** How many have one of these endings. */
export function countFiles(folder: string, ...endings: string[]): number {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    return names.filter((name) => endings.some((ending) => name.endsWith(ending))).length;
  } catch {
    return 0; // no folder: nothing is there
  }
}

/** Events that hooks left for the daemon. */
export const spooledEvents = (spool: string): number => countFiles(spool, '.event', '.open');

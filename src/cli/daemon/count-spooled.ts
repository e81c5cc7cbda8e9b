// Files that wait for the daemon in a folder of its home.
import { readdirSync } from 'node:fs';

/** Events that hooks left for the daemon. */
export function spooledEvents(spool: string): number {
  try {
    return readdirSync(spool).filter((name) => /^[^.].*\.(?:event|open)$/.test(name)).length;
  } catch {
    return 0; // no folder: nothing is there
  }
}

// What hooks left in the spool while the daemon stopped: a hook that saw it alive a moment before has started no other.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { listSpool } from '../sources/spool-folder.ts';

/** Whether the spool holds something that came at `from` (Unix ms) or later; what lay there before is no reason to go on. */
export function lateFiles(spool: string, from: number): boolean {
  return (listSpool(spool) ?? []).some(({ name }) => {
    const found = lstatSync(join(spool, name), { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs >= from;
  });
}

// Remembers which of belfry's own folders were not there before, so that the last uninstallation leaves none behind.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { backupRecordsIn } from '../../installers/files/backup-records.ts';
import { backupsIn } from '../../installers/install-context.ts';
import type { Paths } from '../runtime/paths.ts';

/** Name under which they are remembered. */
export const STATE = '(state)';

/** To be called before anything is made. */
export async function rememberFolders(paths: Paths): Promise<void> {
  const made: string[] = [];
  for (let at = paths.state; !existsSync(at) && dirname(at) !== at; at = dirname(at)) made.unshift(at);
  if (made.length === 0) return;
  await backupRecordsIn(backupsIn(paths)).put({
    v: 1,
    agent: STATE,
    path: paths.state,
    original: null,
    written: '',
    made,
  });
}

// Remembers which of belfry's own folders were not there before, so that the last uninstallation leaves none behind.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { backupRecordsIn } from '../../../../installers/files/backup-records.ts';
import { backupsIn } from '../../../../installers/install-context.ts';
import type { Paths } from '../../../runtime/paths.ts';

/** Name under which they are remembered. */
export const STATE = '(state)';

/** To be called before anything is made: by whatever makes the first folder, for its state or for its settings. */
export async function rememberFolders(paths: Paths): Promise<void> {
  const folders = [paths.state, dirname(paths.config)].map((path) => ({ path, made: missingFolders(path) }));
  for (const { path, made } of folders) {
    if (made.length === 0) continue;
    await backupRecordsIn(backupsIn(paths)).put({ v: 1, agent: STATE, path, original: null, written: '', made });
  }
}

/** This folder and those around it that are not there, outermost first. */
function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  return missing;
}

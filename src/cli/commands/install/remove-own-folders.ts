// After the hooks are removed: deletes Belfry's own folders when they hold nothing of the user's. Settings and secrets are the user's.
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SERVICE } from '../../../../installers/service/control.ts';
import { backupRecordsIn } from '../../../../installers/files/backup-records.ts';
import { removeFolders } from '../../../../installers/files/replace.ts';
import { backupsIn } from '../../../../installers/install-context.ts';
import { KINDS } from '../../../model/event/event.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { replacedSettings } from '../config/replaced-settings.ts';
import { STATE } from './remember-own-folders.ts';
import { SETTINGS } from '../setup/write-config.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';

/** Removes belfry's own folders when nothing is installed any more and nothing but tests was sent; says whether. */
export async function removeOwnFolders(paths: Paths): Promise<boolean> {
  const remembered = await backupRecordsIn(backupsIn(paths)).all();
  if (remembered.some(({ agent }) => agent !== STATE && agent !== SETTINGS)) return false; // something is still installed
  if (remembered.length === 0) return false; // the folders were there before an installation made them
  if (existsSync(paths.config) || !(await nothingKept(paths))) return false;
  await stopDaemon(paths);
  if (!(await nothingKept(paths))) return false; // it took something over while it ended
  for (const folder of ownFolders(paths)) await rm(folder, { recursive: true, force: true });
  await removeFolders(remembered.flatMap(({ made }) => made));
  return true;
}

/** Folders that hold nothing but Belfry's; the innermost first. */
export function ownFolders(paths: Paths): string[] {
  const folders = [paths.run, dirname(paths.socket), paths.spool, paths.quarantine, paths.state];
  return [...new Set(folders)].filter((folder) => isOwn(folder, paths));
}

/** Whether a service of ours is installed. */
export async function serviceInstalled(paths: Paths): Promise<boolean> {
  const remembered = await backupRecordsIn(backupsIn(paths)).all();
  return remembered.some(({ agent }) => agent === SERVICE);
}

/** Stops the daemon when no hook and no service of ours is left to feed it; says whether one ran. */
export async function stopIdleDaemon(paths: Paths): Promise<boolean> {
  const remembered = await backupRecordsIn(backupsIn(paths)).all();
  if (remembered.some(({ agent }) => agent !== STATE && agent !== SETTINGS)) return false;
  return (await stopDaemon(paths)) !== null;
}

async function nothingKept(paths: Paths): Promise<boolean> {
  if (count(paths.spool) > 0 || count(paths.quarantine) > 0) return false;
  if ((await replacedSettings(paths)).length > 0) return false;
  const { openReader } = await import('../../../store/open-reader.ts');
  const store = await openReader(paths.database, 'all');
  try {
    return (await store.events({ kinds: KINDS.filter((kind) => kind !== 'test'), limit: 1 })).length === 0;
  } finally {
    await store.close();
  }
}

/** The socket's folder is one of ours only when it is not shared with anything else, such as the folder for temporary files. */
function isOwn(folder: string, paths: Paths): boolean {
  return folder !== dirname(paths.socket) || folder === paths.run || /[\\/]belfry-[^\\/]+$/.test(folder);
}

function count(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

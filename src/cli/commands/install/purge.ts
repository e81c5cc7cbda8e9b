// Deletes all that Belfry keeps, file by file: its folders may hold things of the user's too.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { removeFolders } from '../../../../installers/files/replace.ts';
import { mechanismFor } from '../../../../installers/service/index.ts';
import { environmentFile, ownServiceSpec } from '../../../../installers/service/spec.ts';
import { uninstallService } from '../../../../installers/service/control.ts';
import { backupRecordsIn } from '../../../../installers/files/backup-records.ts';
import { backupsIn } from '../../../../installers/install-context.ts';
import { removeSecret, secretsFolder, storedSecrets } from '../../../config/secrets/secret-store.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { ownFolders } from './remove-own-folders.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';

/** Removes service and daemon, then settings, secrets and state; says each, or with `dryRun` what it would delete. */
export async function purge(paths: Paths, dryRun: boolean, say: (text: string) => void): Promise<void> {
  const records = backupRecordsIn(backupsIn(paths));
  const made = (await records.all()).flatMap((record) => record.made);
  const mechanism = mechanismFor(process.platform);
  if (mechanism) {
    const options = { records, dryRun, newMode: 0o644 };
    const { action, file } = await uninstallService(mechanism, ownServiceSpec(paths), options);
    if (action !== 'unchanged') say(`${dryRun ? 'Would delete' : 'Deleted'} the ${mechanism.title}: ${file}`);
  }
  if (!dryRun && (await stopDaemon(paths))) say('Daemon stopped.');
  const secrets = secretsFolder(paths.config);
  if (!dryRun) for (const { name } of await storedSecrets(secrets)) await removeSecret(secrets, name); // the keyring's too
  const kept = [paths.config, environmentFile(paths), secrets, ...ownFolders(paths)].filter(existsSync);
  const targets = kept.filter((path) => !kept.some((folder) => path.startsWith(folder + sep)));
  for (const target of targets) {
    if (!dryRun) await rm(target, { recursive: true, force: true });
    say(`${dryRun ? 'Would delete' : 'Deleted'} ${target}`);
  }
  if (targets.length === 0) say('Nothing else is kept.');
  // Those that an installation made, and the settings' own; none that holds anything else.
  if (!dryRun) await removeFolders([...made, dirname(paths.config)]);
}

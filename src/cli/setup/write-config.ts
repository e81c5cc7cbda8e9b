// Writes config.toml where there is none, and the variables a service would not see; records both for the uninstallation.
import { existsSync } from 'node:fs';
import { writeManaged } from '../../../installers/managed-file.ts';
import { type BackupRecords, backupRecordsIn } from '../../../installers/files/backup-records.ts';
import { environmentFile } from '../../../installers/service/spec.ts';
import { backupsIn } from '../../../installers/install-context.ts';
import type { Paths } from '../../runtime/paths.ts';
import type { ChannelHere } from './channels-here.ts';
import { configText } from './config-text.ts';

/** Name of the backup record of what `setup` wrote. */
export const SETTINGS = '(settings)';

/** True when the settings were written; existing ones are never touched. */
export async function writeConfig(paths: Paths, channels: readonly ChannelHere[]): Promise<boolean> {
  if (existsSync(paths.config)) return false;
  await write(paths.config, configText(channels), backupRecordsIn(backupsIn(paths)));
  return true;
}

/** Keeps the values of the variables that the settings name where a service finds them: 0600, beside config.toml. */
export async function writeVariables(paths: Paths, names: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const file = environmentFile(paths);
  if (names.length === 0 || existsSync(file)) return;
  const lines = names.map((name) => `${name}="${(env[name] ?? '').replace(/["\\$`]/g, '\\$&')}"\n`);
  await write(file, lines.join(''), backupRecordsIn(backupsIn(paths)));
}

async function write(path: string, text: string, records: BackupRecords): Promise<void> {
  const options = { agent: SETTINGS, records, dryRun: false, newMode: 0o600 };
  await writeManaged(path, () => ({ bytes: Buffer.from(text), base: () => null }), options);
}

// Writes config.toml or adds channels to it, and stores the secrets they refer to; remembers how to undo it.
import { existsSync } from 'node:fs';
import { writeManaged } from '../../../../installers/managed-file.ts';
import { type BackupRecords, backupRecordsIn } from '../../../../installers/files/backup-records.ts';
import { environmentFile } from '../../../../installers/service/spec.ts';
import { backupsIn } from '../../../../installers/install-context.ts';
import { secretsFolder, type StoredSecret, storeSecret } from '../../../config/secrets/secret-store.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { ChannelHere } from './channels-here.ts';
import { channelText, configText } from './config-text.ts';

/** Name under which it is remembered how to undo what `setup` wrote. */
export const SETTINGS = '(settings)';

/** A new file, or `channels` added below what is there. `locked`: names that none of its comments suggests. */
export async function writeConfig(
  paths: Paths,
  channels: readonly ChannelHere[],
  locked: readonly string[],
): Promise<void> {
  await write(paths.config, records(paths), (before) => {
    if (before === null) return configText(channels, locked);
    const text = before.toString('utf8');
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${channelText(channels)}`;
  });
}

/** Stores the channels' secrets; they live as long as the settings that name them. */
export async function storeSecrets(paths: Paths, channels: readonly ChannelHere[]): Promise<StoredSecret[]> {
  const folder = secretsFolder(paths.config);
  const stored: StoredSecret[] = [];
  for (const { name, value } of channels.flatMap(({ secrets }) => secrets))
    stored.push(await storeSecret(folder, name, value, 'file'));
  return stored;
}

/** Keeps the variables that the user's own settings refer to where a service finds them: 0600, beside config.toml. */
export async function writeVariables(paths: Paths, names: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const set = names.filter((name) => env[name]);
  const file = environmentFile(paths);
  if (set.length === 0 || existsSync(file)) return;
  const lines = set.map((name) => `${name}="${(env[name] ?? '').replace(/["\\$`]/g, '\\$&')}"\n`);
  await write(file, records(paths), () => lines.join(''));
}

const records = (paths: Paths): BackupRecords => backupRecordsIn(backupsIn(paths));

async function write(path: string, kept: BackupRecords, text: (before: Buffer | null) => string): Promise<void> {
  const options = { agent: SETTINGS, records: kept, dryRun: false, newMode: 0o600 };
  await writeManaged(path, ({ bytes }) => ({ bytes: Buffer.from(text(bytes)), base: () => bytes }), options);
}

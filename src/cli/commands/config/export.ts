// `belfry config export FILE`: settings and secrets for another machine, in one file.
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { environmentFile } from '../../../../installers/service/spec.ts';
import { type MovedSettings, movedText } from '../../../config/moving/moved-settings.ts';
import { readSecret, secretsFolder, storedSecrets } from '../../../config/secrets/secret-store.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { Io } from '../../io.ts';
import { newPassphrase } from '../../options/passphrase.ts';
import { hookedAgents } from '../install/hooked-agents.ts';
import { pathFor } from '../../output/path-for.ts';
import { settingsText } from './settings-file.ts';

/** Writes the file, or nothing. */
export async function exportSettings(io: Io, paths: Paths, file: string, plain: boolean): Promise<void> {
  const settings = await currentSettings(paths);
  if (settings.config === null && settings.secrets.length === 0)
    throw new UserError('there is nothing to export: no config.toml and no stored secret', EXIT.notFound);
  if (existsSync(file)) throw thereAlready(file); // before anybody has to think of a passphrase
  if (!existsSync(dirname(file)))
    throw new UserError(`cannot write ${file}: the folder ${dirname(file)} does not exist`);
  const passphrase = plain ? null : await newPassphrase(io);
  await writeMoved(file, settings, passphrase);
  const secrets = settings.secrets.map(({ name }) => name);
  if (io.json) return io.data({ file, sealed: !plain, config: settings.config !== null, secrets });
  const what = settings.config === null ? '' : 'config.toml and ';
  io.line(`Wrote ${what}${secrets.length === 1 ? '1 secret' : `${secrets.length} secrets`} to ${pathFor(io, file)}.`);
  if (plain) io.note('warning: the file is not sealed: whoever reads it has your secrets');
  io.line(`On the other machine: belfry config import ${pathFor(io, file)}`);
}

/** What is in force here. UserError where a part cannot be read. */
export async function currentSettings(paths: Paths): Promise<MovedSettings> {
  const folder = secretsFolder(paths.config);
  const secrets = await Promise.all(
    (await storedSecrets(folder)).map(async ({ name, store }) => {
      const read = await readSecret(folder, name);
      if ('error' in read) throw new UserError(read.error);
      return { name, value: read.value, store };
    }),
  );
  return {
    config: await settingsText(paths.config),
    service_env: await settingsText(environmentFile(paths)),
    secrets,
    agents: await hookedAgents(),
  };
}

/** Writes it 0600, in no other file's place. */
export async function writeMoved(file: string, settings: MovedSettings, passphrase: string | null): Promise<void> {
  const text = movedText(settings, passphrase, { made: new Date().toISOString(), from: hostname() });
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'EEXIST') throw thereAlready(file);
    throw new UserError(`cannot write ${file} (${code})`);
  }
}

const thereAlready = (file: string): UserError =>
  new UserError(`${file} exists already: name another file (nothing was written)`, EXIT.refused);

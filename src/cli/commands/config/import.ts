// `belfry config import FILE`: takes over the settings and secrets of another machine; what was here is kept beside them.
import { readFile, stat } from 'node:fs/promises';
import { environmentFile } from '../../../../installers/service/spec.ts';
import { type MovedSettings, openMoved, readMoved } from '../../../config/moving/moved-settings.ts';
import { secretsFolder, storeSecret } from '../../../config/secrets/secret-store.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { reloadDaemon } from '../../daemon/reload-daemon.ts';
import type { Io } from '../../io.ts';
import { passphrase } from '../../options/passphrase.ts';
import { pathFor } from '../../output/path-for.ts';
import { checkFile, report } from './check.ts';
import { currentSettings } from './export.ts';
import { keepReplaced } from './replaced-settings.ts';
import { exchangeSettings, replaceSettings } from './settings-file.ts';

/** Largest file that is read, bytes: far more than a settings file with as many secrets as anybody has. */
const LARGEST = 16 * 1024 * 1024;

/** Each part whole, config.toml after the secrets it names; interrupted, it can be run again. `force`: in the place of what is here. */
export async function importSettings(io: Io, paths: Paths, file: string, force: boolean): Promise<void> {
  const { moved, from, made } = await opened(io, file);
  const before = await currentSettings(paths);
  const replaced = replacedBy(before, moved);
  const names = named(replaced);
  if (names !== '' && !force)
    throw new UserError(
      `${names} would be replaced: give --force; what is here now is kept in a file (nothing was changed)`,
      EXIT.refused,
    );
  const kept = names === '' ? null : await keepReplaced(replaced, paths);
  const inFile = await storeAll(moved, paths);
  if (moved.config !== null) await exchangeSettings(paths.config, before.config, moved.config);
  if (moved.service_env !== null) await replaceSettings(environmentFile(paths), moved.service_env);
  await reloadDaemon(paths);
  const secrets = moved.secrets.map(({ name }) => name);
  const install = installLines(moved);
  if (io.json)
    return io.data({
      from,
      made,
      config: moved.config !== null,
      secrets,
      kept,
      install,
      check: await checkFile(paths, undefined, io.env),
    });
  io.line(`Taken over from ${from}, as of ${made.slice(0, 10)}: ${named(moved)}.`);
  for (const name of inFile) io.note(`the keyring here takes nothing: the secret ${name} is in a file of your own`);
  if (kept !== null) {
    const plain = replaced.secrets.length > 0 ? ', secrets in plain text' : '';
    io.line(`What was here before is in ${pathFor(io, kept)}${plain}; this brings it back:`);
    io.line(`  belfry config import ${pathFor(io, kept)} --force`);
  }
  if (moved.config !== null) report(io, await checkFile(paths, undefined, io.env));
  if (install.length > 0) io.line('Your agents had the hooks there. To add them here:');
  for (const line of install) io.line(`  ${line}`);
}

async function opened(
  io: Io,
  file: string,
): Promise<{ readonly moved: MovedSettings; readonly from: string; readonly made: string }> {
  const read = readMoved(await textOf(file));
  if ('fault' in read) throw new UserError(`${file} ${read.fault} (nothing was changed)`, EXIT.usage);
  const words = read.sealed === undefined ? null : await passphrase(io, `Passphrase of ${file}`);
  const moved = openMoved(read, words);
  if (moved === null)
    throw new UserError(
      `${file} cannot be opened: the passphrase is wrong, or the file was changed (nothing was changed here)`,
      EXIT.auth,
    );
  return { moved, from: read.from, made: read.made };
}

async function textOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > LARGEST)
      throw new UserError(`${file} is larger than 16 MB: it is no exported file`, EXIT.usage);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new UserError(
      code === 'ENOENT' ? `${file} does not exist` : `cannot read ${file} (${code})`,
      code === 'ENOENT' ? EXIT.notFound : EXIT.other,
    );
  }
}

/** Of what is here, what would be another. */
function replacedBy(before: MovedSettings, moved: MovedSettings): MovedSettings {
  const differs = (here: string | null, there: string | null): boolean =>
    here !== null && there !== null && here !== there;
  const there = new Map(moved.secrets.map(({ name, value }) => [name, value]));
  return {
    config: differs(before.config, moved.config) ? before.config : null,
    service_env: differs(before.service_env, moved.service_env) ? before.service_env : null,
    secrets: before.secrets.filter(({ name, value }) => differs(value, there.get(name) ?? null)),
    agents: [],
  };
}

/** "config.toml, the secret phone_topic" */
const named = ({ config, service_env, secrets }: MovedSettings): string =>
  [
    ...(config === null ? [] : ['config.toml']),
    ...(service_env === null ? [] : ['service.env']),
    ...secrets.map(({ name }) => `the secret ${name}`),
  ].join(', ');

/** Stores the secrets; the names of those that are in a file as the keyring here takes none. */
async function storeAll({ secrets }: MovedSettings, { config }: Paths): Promise<readonly string[]> {
  const folder = secretsFolder(config);
  const inFile: string[] = [];
  for (const { name, value, store } of secrets) {
    const kept = await storeSecret(folder, name, value, store).catch((error: unknown) => {
      if (store === 'file' || !(error instanceof UserError)) throw error;
      return null;
    });
    if (kept !== null) continue;
    await storeSecret(folder, name, value, 'file');
    inFile.push(name);
  }
  return inFile;
}

/** The commands that add the hooks. */
function installLines({ agents }: MovedSettings): readonly string[] {
  const line = (answer: boolean): string[] => {
    const names = agents.filter((one) => one.answer === answer).map(({ name }) => name);
    return names.length === 0 ? [] : [`belfry install ${names.join(' ')}${answer ? ' --answer' : ''}`];
  };
  return [...line(false), ...line(true)];
}

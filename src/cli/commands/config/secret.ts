// `belfry secret`: stores secrets for `"secret:NAME"` in the settings; a value comes from a prompt or standard input only.
import type { Command } from 'commander';
import {
  isSecretName,
  removeSecret,
  SECRET_LIMIT,
  secretsFolder,
  type StoredSecret,
  storedSecrets,
  storeSecret,
} from '../../../config/secrets/secret-store.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { rememberFolders } from '../install/remember-own-folders.ts';
import { unseenText } from '../../options/piped-text.ts';
import { reloadDaemon } from '../../daemon/reload-daemon.ts';
import { pathFor } from '../../output/path-for.ts';
import { printRows } from '../../output/table-output.ts';

export const define: Define = (command, io) => {
  const named = (name: string, description: string): Command =>
    // An argument too many may be the secret: it is refused below, without a word of it.
    command.command(name).argument('<NAME>', 'letters, digits, dots, - and _').description(description);
  named('set', 'store a secret; type it at the prompt or send it to standard input')
    .option('--keyring', "store it in the system's keyring, where that answers without a prompt")
    .allowExcessArguments(true)
    .action((name: string, flags: { keyring?: true }, self: Command) => set(io, name, flags.keyring === true, self));
  command
    .command('list')
    .description('list the stored secrets, without their values')
    .action(() => list(io));
  named('remove', 'delete a stored secret').action((name: string) => remove(io, name));
};

async function set(io: Io, name: string, keyring: boolean, self: Command): Promise<void> {
  if (self.args.length > 1)
    throw new UserError(
      'the secret is read from a prompt or standard input, never from an argument: others can see those; nothing was stored',
      EXIT.usage,
    );
  checkName(name);
  const value = await readValue(name, io);
  await rememberFolders(resolveOwnPaths());
  const stored = await storeSecret(folder(), name, value, keyring ? 'keyring' : 'file');
  await reloadDaemon(resolveOwnPaths());
  if (io.json) return io.data(stored);
  io.line(`Stored in ${placeOf(io, stored)}. Use it in config.toml as "secret:${name}".`);
}

async function list(io: Io): Promise<void> {
  const secrets = await storedSecrets(folder());
  if (io.json) return io.data({ secrets });
  const rows = secrets.map((secret) => [secret.name, placeOf(io, secret)]);
  await printRows(
    io,
    [
      { name: 'NAME', rank: 0 },
      { name: 'STORED IN', rank: 1 },
    ],
    rows,
    'no secret is stored; `belfry secret set NAME` stores one',
  );
}

async function remove(io: Io, name: string): Promise<void> {
  checkName(name);
  if (!(await removeSecret(folder(), name)))
    throw new UserError(`no secret "${name}" is stored; \`belfry secret list\` shows them`, EXIT.notFound);
  await reloadDaemon(resolveOwnPaths());
  if (io.json) return io.data({ removed: name });
  io.line(`Removed "${name}".`);
}

const folder = (): string => secretsFolder(resolveOwnPaths().config);
const placeOf = (io: Io, { store, file }: StoredSecret): string =>
  store === 'keyring' ? "the system's keyring" : pathFor(io, file);

function checkName(name: string): void {
  if (!isSecretName(name))
    throw new UserError('the name of a secret has letters, digits, dots, - and _, at most 64', EXIT.usage);
}

async function readValue(name: string, io: Io): Promise<string> {
  const value = (await unseenText(io, `Secret for "${name}"`, SECRET_LIMIT, 'the secret')).trim();
  if (value === '') throw new UserError('the secret is empty; nothing was stored', EXIT.usage);
  return value;
}

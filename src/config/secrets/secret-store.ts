// Stored secrets: one 0600 file each in `secrets/` beside config.toml, or an entry in the system's keyring that such a file points to.
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../../runtime/private-folder.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { keyringGet, keyringRemove, keyringSet } from './keyring.ts';

/** Most bytes of a secret. */
export const SECRET_LIMIT = 64 * 1024;

/** A secret that is stored, without its value. */
export interface StoredSecret {
  readonly name: string;
  readonly store: 'file' | 'keyring';
  readonly file: string;
}

/** Marks the file of a secret whose value is in the keyring; no name can end so. */
const IN_KEYRING = '@keyring';
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** The folder for the secrets of this config.toml. */
export function secretsFolder(configFile: string): string {
  return join(dirname(configFile), 'secrets');
}

/** Whether a secret can have this name. */
export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

/** Stores a secret in place of an older one. UserError when it cannot be kept. */
export async function storeSecret(
  folder: string,
  name: string,
  value: string,
  store: StoredSecret['store'],
): Promise<StoredSecret> {
  const trouble = makePrivateFolder(folder);
  if (trouble) throw new UserError(`cannot store the secret: ${trouble}`);
  if (store === 'keyring') await keyringSet(name, value);
  const file = fileOf(folder, name, store);
  await replace(file, store === 'keyring' ? '' : `${value}\n`);
  await rm(fileOf(folder, name, store === 'file' ? 'keyring' : 'file'), { force: true });
  return { name, store, file };
}

/** Every stored secret, by name. */
export async function storedSecrets(folder: string): Promise<StoredSecret[]> {
  const files = await readdir(folder).catch(() => []); // no folder: nothing was stored
  return files
    .map((file): StoredSecret => {
      const store = file.endsWith(IN_KEYRING) ? 'keyring' : 'file';
      return { name: store === 'file' ? file : file.slice(0, -IN_KEYRING.length), store, file: join(folder, file) };
    })
    .filter(({ name }) => isSecretName(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Removes a stored secret; false when there is none. */
export async function removeSecret(folder: string, name: string): Promise<boolean> {
  const found = (await storedSecrets(folder)).find((secret) => secret.name === name);
  if (!found) return false;
  if (found.store === 'keyring') await keyringRemove(name);
  await rm(found.file, { force: true });
  return true;
}

/** The value of a stored secret, or one line that says what to do. */
export async function readSecret(
  folder: string,
  name: string,
): Promise<{ readonly value: string } | { readonly error: string }> {
  if (!isSecretName(name))
    return { error: `"${name}" cannot be the name of a secret: use letters, digits, dots, - and _` };
  const value = await readSecretFile(fileOf(folder, name, 'file'));
  if ('value' in value || value.error !== null) return value;
  const missing = { error: `no secret "${name}" is stored: run \`belfry secret set ${name}\`` };
  const inKeyring = await stat(fileOf(folder, name, 'keyring')).catch(() => null); // in neither place
  if (inKeyring === null) return missing;
  const kept = await keyringGet(name);
  if (kept !== null) return { value: kept };
  return {
    error: `the keyring does not return the secret "${name}": unlock it, or store the secret in a file with \`belfry secret set ${name}\``,
  };
}

/** The trimmed text of a file that holds a secret; `error` null: there is no such file. */
export async function readSecretFile(
  path: string,
): Promise<{ readonly value: string } | { readonly error: string } | { readonly error: null }> {
  try {
    if ((await stat(path)).size > SECRET_LIMIT)
      return { error: `${path} is larger than ${SECRET_LIMIT / 1024} KB: name a file with the secret alone` };
    const text = (await readFile(path, 'utf8')).trim();
    return text === '' ? { error: `${path} is empty: write the secret to it` } : { value: text };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return { error: null };
    return { error: `cannot read ${path} (${code}): make it a file that you can read` };
  }
}

function fileOf(folder: string, name: string, store: StoredSecret['store']): string {
  return join(folder, store === 'file' ? name : `${name}${IN_KEYRING}`);
}

async function replace(file: string, text: string): Promise<void> {
  const temporary = `${file}@${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new UserError(`cannot write ${file} (${code}); nothing was stored`, EXIT.other);
  }
}

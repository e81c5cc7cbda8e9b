// Reads and replaces the settings file.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeFileError } from '../../../../installers/files/read.ts';
import { keyOf } from '../../../config/diagnostic.ts';
import type { MachineConfig } from '../../../config/machine/machine-config.ts';
import { lockedText, lockOf } from '../../../config/machine/merge-config.ts';
import { parseSettingPath } from '../../../config/toml/edit-setting.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { rememberFolders } from '../install/remember-own-folders.ts';

/** The path of a setting as it is typed. UserError where it is none. */
export function settingPath(name: string): (string | number)[] {
  const path = parseSettingPath(name);
  if (path !== null) return path;
  throw new UserError(
    `"${name}" is not the name of a setting; write one such as retention.days or routes[0].to`,
    EXIT.usage,
  );
}

/** UserError where a setting, or what it is in, is locked for this machine: it would be written and have no effect. */
export function refuseLocked(path: readonly (string | number)[], machine: MachineConfig | null): void {
  const lock = lockOf(path, machine);
  if (lock === null || machine === null) return;
  throw new UserError(`${keyOf(path)} was not changed: ${lockedText(path, lock, machine)}`, EXIT.usage);
}

/** The text; null where there is no such file. UserError when it cannot be read. */
export async function settingsText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return null;
    throw new UserError(`cannot read ${file} (${code}); check its permissions`);
  }
}

/** Puts a text in the place of the one that was read, behind a link too. UserError where the file was changed since, or cannot be written. */
export async function exchangeSettings(file: string, before: string | null, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file); // behind a link, or not there yet
  if ((await settingsText(target)) !== before)
    throw new UserError(`${file} was changed meanwhile: try again (nothing was changed)`);
  await rememberFolders(resolveOwnPaths());
  if (text !== before) await replaceSettings(target, text);
}

/** In one step, so that the daemon never sees half a file; the mode stays. UserError when it cannot be written. */
export async function replaceSettings(file: string, text: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const mode = await stat(file).then(
      (found) => found.mode & 0o777,
      () => 0o600,
    ); // not there yet
    await writeFile(part, text, { mode });
    await chmod(part, mode);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw describeFileError(error, file, 'write');
  }
}

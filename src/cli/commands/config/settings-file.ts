// Reads and replaces the settings file.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../../../model/errors.ts';

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
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new UserError(`cannot write ${file} (${code}); nothing was changed`);
  }
}

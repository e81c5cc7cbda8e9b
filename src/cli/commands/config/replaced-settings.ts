// What `config import --force` took the place of, kept as it is exported: in plain text, for its owner alone.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupsIn } from '../../../../installers/install-context.ts';
import type { MovedSettings } from '../../../config/moving/moved-settings.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { writeMoved } from './export.ts';

/** Keeps it; the file. */
export async function keepReplaced(replaced: MovedSettings, paths: Paths): Promise<string> {
  const folder = backupsIn(paths);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `settings-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
  await writeMoved(file, replaced, null);
  return file;
}

/** The files that are kept, the oldest first. */
export async function replacedSettings(paths: Paths): Promise<readonly string[]> {
  const folder = backupsIn(paths);
  const names = await readdir(folder).catch(() => []); // nothing was kept yet
  return names
    .filter((name) => /^settings-\d{4}-.*\.json$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

// Whether a program is installed, without running it.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** By the folders of PATH; on Windows with the usual endings. */
export function onPath(program: string, path: string | undefined, platform: NodeJS.Platform): boolean {
  const names = platform === 'win32' ? ['.exe', '.cmd', '.bat'].map((ending) => `${program}${ending}`) : [program];
  return (path ?? '')
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => names.some((name) => isProgram(join(folder, name))));
}

/** The first of these names that is installed; null: none. */
export function firstOnPath(
  names: readonly string[],
  { env, platform }: { readonly env: Readonly<Record<string, string | undefined>>; readonly platform: NodeJS.Platform },
): string | null {
  return names.find((name) => onPath(name, env['PATH'] ?? env['Path'], platform)) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not to be run
  }
}

// The project's own files, as git knows them, for the checks of its conventions.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;

/** Files in git and new ones that it does not ignore, relative to the root. */
export const files: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));

/** TypeScript, style sheets and shell of the product itself. */
export const sources: readonly string[] = files.filter((file) =>
  /^(src|hooks|installers)\/.*\.(tsx?|css|sh)$/.test(file),
);

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

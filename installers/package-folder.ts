// Where this package is installed, as installed commands have to name it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../src/model/errors.ts';

/** The folder with our package.json and dist/. */
export function packageFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); dirname(at) !== at; at = dirname(at)) {
    const file = join(at, 'package.json');
    if (existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name === 'belfry') return at;
  }
  throw new UserError('cannot find the folder belfry is installed in: install it again with `npm i -g belfry`');
}

/** Whether the package is in a cache that is emptied some day. */
export function isTransientInstall(folder: string): boolean {
  return /[\\/]_npx[\\/]/.test(folder);
}

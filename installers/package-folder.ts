// Where this package is installed, as installed commands have to name it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asObject, parseJson } from '../src/lib/json/json.ts';
import { UserError } from '../src/model/errors.ts';

/** The folder with our package.json and dist/. */
export function packageFolder(): string {
  const found = packageAbove(fileURLToPath(import.meta.url));
  if (found !== null) return found.folder;
  throw new UserError('cannot find the folder belfry is installed in: install it again with `npm i -g belfry`');
}

/** What our package.json says of itself. */
export interface OwnPackage {
  readonly folder: string;
  readonly version: string;
  /** Where the package has its public home; null: it has none yet. */
  readonly repository: string | null;
}

/** Our package that a file is of; null: it is of another one, or of none. */
export function packageAbove(file: string): OwnPackage | null {
  for (let at = dirname(file); dirname(at) !== at; at = dirname(at)) {
    const path = join(at, 'package.json');
    const { name, version, repository } = existsSync(path) ? asObject(parseJson(readFileSync(path, 'utf8'))) : {};
    if (name !== 'belfry') continue;
    const url = asObject(repository)['url'] ?? repository;
    return { folder: at, version: String(version), repository: typeof url === 'string' ? url : null };
  }
  return null;
}

/** Whether the package is in a cache that is emptied some day. */
export function isTransientInstall(folder: string): boolean {
  return /[\\/]_npx[\\/]/.test(folder);
}

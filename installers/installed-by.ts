// What put this package where it is, as its folder tells, and how the same puts a newer one there.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTransientInstall, type OwnPackage } from './package-folder.ts';

/** `source`: a clone; `folder`: an unpacked package. */
export type Installer = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'volta' | 'npx' | 'project' | 'source' | 'folder';

/** Parts of the folders that each has for what is installed for all projects; forward slashes. */
const MANAGERS: readonly (readonly [Installer, RegExp])[] = [
  ['pnpm', /\/pnpm\/(?:global\/)?|\/\.pnpm\//],
  ['yarn', /\/(?:\.config\/)?yarn\/global\/|\/Yarn\/Data\/global\//],
  ['bun', /\/\.bun\/install\/global\//],
  ['volta', /\/\.?volta\//i],
  ['npm', /\/lib\/node_modules\/belfry$|\/npm\/node_modules\/belfry$/],
  ['project', /\/node_modules\/belfry$/],
];

/** `folder`: of the package, links resolved. */
export function installedBy(folder: string): Installer {
  if (isTransientInstall(folder)) return 'npx';
  const path = folder.replaceAll('\\', '/');
  const manager = /\/node_modules\/belfry$/.test(path) ? MANAGERS.find(([, part]) => part.test(path))?.[0] : undefined;
  return manager ?? (existsSync(join(folder, '.git')) ? 'source' : 'folder');
}

/** Of a package that has a public home. */
const FROM_REGISTRY: Readonly<Record<Installer, (folder: string) => string>> = {
  npm: () => 'npm install -g belfry@latest',
  pnpm: () => 'pnpm add -g belfry@latest',
  yarn: () => 'yarn global add belfry@latest',
  bun: () => 'bun add -g belfry@latest',
  volta: () => 'volta install belfry@latest',
  npx: () => 'npx belfry@latest',
  project: (folder) => `npm install --prefix ${quoted(dirname(dirname(folder)))} belfry@latest`,
  source: (folder) =>
    `git -C ${quoted(folder)} pull && npm ci --prefix ${quoted(folder)} && npm run build --prefix ${quoted(folder)}`,
  folder: (folder) => `tar -xzf belfry-VERSION.tgz --strip-components 1 -C ${quoted(folder)}`,
};

/** Without one: a package that somebody has made of a newer clone. */
const FROM_FILE: Partial<typeof FROM_REGISTRY> = {
  npm: () => 'npm install -g ./belfry-VERSION.tgz',
  pnpm: () => 'pnpm add -g ./belfry-VERSION.tgz',
  yarn: () => 'yarn global add file:./belfry-VERSION.tgz',
  bun: () => 'bun add -g ./belfry-VERSION.tgz',
  volta: () => 'npm install -g ./belfry-VERSION.tgz',
  npx: () => 'npx ./belfry-VERSION.tgz',
  project: (folder) => `npm install --prefix ${quoted(dirname(dirname(folder)))} ./belfry-VERSION.tgz`,
};

const quoted = (path: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/** The command line that upgrades it. VERSION in it is for the person to fill in. */
export function upgradeCommand(
  by: Installer,
  { folder, repository }: Pick<OwnPackage, 'folder' | 'repository'>,
): string {
  const ways = repository === null ? { ...FROM_REGISTRY, ...FROM_FILE } : FROM_REGISTRY;
  return ways[by](folder);
}

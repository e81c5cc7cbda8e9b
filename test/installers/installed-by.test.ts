// What put the package where it is, by its folder, and the command line that upgrades it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedBy, type Installer, upgradeCommand } from '../../installers/installed-by.ts';
import { temporaryFolder } from '../support/home.ts';

const CASES: readonly (readonly [string, Installer, string, string])[] = [
  ['/usr/lib/node_modules/belfry', 'npm', 'npm install -g belfry@latest', 'npm install -g ./belfry-VERSION.tgz'],
  [
    '/home/z/.nvm/versions/node/v22.1.0/lib/node_modules/belfry',
    'npm',
    'npm install -g belfry@latest',
    'npm install -g ./belfry-VERSION.tgz',
  ],
  [
    'C:\\Users\\z\\AppData\\Roaming\\npm\\node_modules\\belfry',
    'npm',
    'npm install -g belfry@latest',
    'npm install -g ./belfry-VERSION.tgz',
  ],
  [
    '/home/z/.local/share/pnpm/global/5/.pnpm/belfry@0.1.0/node_modules/belfry',
    'pnpm',
    'pnpm add -g belfry@latest',
    'pnpm add -g ./belfry-VERSION.tgz',
  ],
  [
    '/home/z/.config/yarn/global/node_modules/belfry',
    'yarn',
    'yarn global add belfry@latest',
    'yarn global add file:./belfry-VERSION.tgz',
  ],
  [
    '/home/z/.bun/install/global/node_modules/belfry',
    'bun',
    'bun add -g belfry@latest',
    'bun add -g ./belfry-VERSION.tgz',
  ],
  [
    '/home/z/.volta/tools/image/packages/belfry/lib/node_modules/belfry',
    'volta',
    'volta install belfry@latest',
    'npm install -g ./belfry-VERSION.tgz',
  ],
  ['/home/z/.npm/_npx/0a1b/node_modules/belfry', 'npx', 'npx belfry@latest', 'npx ./belfry-VERSION.tgz'],
  [
    "/home/z/it's mine/node_modules/belfry",
    'project',
    "npm install --prefix '/home/z/it'\\''s mine' belfry@latest",
    "npm install --prefix '/home/z/it'\\''s mine' ./belfry-VERSION.tgz",
  ],
  [
    '/opt/belfry',
    'folder',
    'tar -xzf belfry-VERSION.tgz --strip-components 1 -C /opt/belfry',
    'tar -xzf belfry-VERSION.tgz --strip-components 1 -C /opt/belfry',
  ],
];

test.each(CASES)('%s: %s', (folder, by, published, fromFile) => {
  expect(installedBy(folder)).toBe(by);
  expect(upgradeCommand(by, { folder, repository: 'git+https://host.example/belfry.git' })).toBe(published);
  expect(upgradeCommand(by, { folder, repository: null })).toBe(fromFile);
});

test('a clone', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.git'));
  expect(installedBy(folder)).toBe('source');
  expect(upgradeCommand('source', { folder, repository: null })).toMatch(/^git -C \S+ pull && npm ci /);
});

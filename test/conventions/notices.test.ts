// Licence notices and the bill of materials of what is bundled.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials, materialsOf, noticesText, packageFolders, programsOf } from '../../.ci/notices.ts';
import { temporaryFolder } from '../support/home.ts';

const root = new URL('../..', import.meta.url).pathname;

/** A project with these files, and what belongs to each package. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.2.3', license: 'MIT', ...more });

test('the packages of what a bundle was made from', () => {
  const inputs = ['src/a.ts', 'node_modules/x/y/z.js', 'once:node_modules/x/b.js', 'node_modules/@a/b/c.js'];
  expect(packageFolders([...inputs, 'node_modules/x/node_modules/w/i.js'])).toEqual([
    'node_modules/@a/b',
    'node_modules/x',
    'node_modules/x/node_modules/w',
  ]);
});

test('each is named with its licence, its texts, and whether it is bundled or installed', async () => {
  const folder = project({
    'package.json': manifest('belfry', { dependencies: { beside: '1' } }),
    'node_modules/beside/package.json': manifest('beside', { dependencies: { inner: '1' } }),
    'node_modules/beside/node_modules/inner/package.json': manifest('inner', { license: ['MIT', 'Apache2'] }),
    'node_modules/free/package.json': manifest('free', { license: 'MPL-2.0' }),
    'node_modules/free/LICENSE': 'Take it.\n',
    'node_modules/free/NOTICE.md': 'And say so.',
    'node_modules/old/package.json': manifest('old', {
      license: undefined,
      licenses: [{ type: 'ISC' }],
      author: 'Ann',
    }),
  });
  const all = await materialsOf(folder, ['node_modules/free/a.js', 'node_modules/old/a.js']);
  expect(all.map(({ name, license, isBundled }) => [name, license, isBundled])).toEqual([
    ['beside', 'MIT', false],
    ['free', 'MPL-2.0', true],
    ['inner', 'MIT OR Apache-2.0', false],
    ['old', 'ISC', true],
  ]);
  const text = noticesText(all);
  expect(text).toContain(
    'free 1.2.3 (MPL-2.0)\n\nIts source, unchanged, is the npm package free, version 1.2.3.\n\nTake it.\n\nAnd say so.',
  );
  expect(text).toContain('old 1.2.3 (ISC)\n\nThe package has no licence file; its package.json says: ISC, by Ann.');
  expect(text).not.toContain('beside 1.2.3');
});

test('a licence that nobody has looked at ends the build', async () => {
  const folder = project({
    'package.json': manifest('belfry'),
    'node_modules/odd/package.json': manifest('odd', { license: 'WTFPL' }),
  });
  await expect(materialsOf(folder, ['node_modules/odd/a.js'])).rejects.toThrow('odd (WTFPL)');
});

test('programs that a package brings along are named with version and licence, as the files beside them say', async () => {
  const programs = await programsOf(root);
  expect(programs.map(({ name, version, license, folder }) => [name, version, license, folder])).toEqual([
    ['notifu', '1.7.0', 'BSD-3-Clause', 'node-notifier/vendor/notifu'],
    ['snoretoast', '0.7.0', 'LGPL-3.0-only', 'node-notifier/vendor/snoreToast'],
    ['terminal-notifier', '1.7.2', 'MIT', 'node-notifier/vendor/mac.noindex/terminal-notifier.app'],
  ]);
  const bill = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as ReturnType<typeof JSON.parse>;
  expect(bill.components).toEqual(
    expect.arrayContaining([
      {
        type: 'application',
        'bom-ref': 'pkg:generic/notifu@1.7.0',
        name: 'notifu',
        version: '1.7.0',
        purl: 'pkg:generic/notifu@1.7.0',
        licenses: [{ license: { id: 'BSD-3-Clause' } }],
        properties: [
          { name: 'belfry:bundled', value: 'false' },
          { name: 'belfry:files', value: 'node-notifier/vendor/notifu' },
        ],
      },
    ]),
  );
  expect(bill.dependencies).toContainEqual({
    ref: 'pkg:npm/node-notifier@10.0.1',
    dependsOn: ['notifu@1.7.0', 'snoretoast@0.7.0', 'terminal-notifier@1.7.2'].map((one) => `pkg:generic/${one}`),
  });
});

test('a program that nobody has looked at, and a licence that reads otherwise now, end the build', async () => {
  const installed = {
    'package.json': manifest('belfry', { dependencies: { 'node-notifier': '1' } }),
    'node_modules/node-notifier/package.json': manifest('node-notifier'),
  };
  const notifu = 'node_modules/node-notifier/vendor/notifu';
  const licence = readFileSync(join(root, notifu, 'LICENSE'), 'utf8');
  const helper = { [`${notifu}/notifu.exe`]: 'MZ', [`${notifu}/LICENSE`]: licence };
  expect(await programsOf(project({ ...installed, ...helper }))).toMatchObject([{ name: 'notifu', version: '1.7.0' }]);
  const other = { 'node_modules/node-notifier/vendor/other/tool': '\u007fELF' };
  await expect(programsOf(project({ ...installed, ...helper, ...other }))).rejects.toThrow(
    'node-notifier/vendor/other/tool is a program that nobody has looked at',
  );
  for (const changed of [licence.replace('Neither', 'Either'), licence.replace('notifu 1.7.0', 'notifu')])
    await expect(programsOf(project({ ...installed, ...helper, [`${notifu}/LICENSE`]: changed }))).rejects.toThrow(
      'look at it again',
    );
});

test('the build has both, and they name the same packages', () => {
  const bill = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as ReturnType<typeof JSON.parse>;
  const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  const bundled = bill.components.filter(
    (one: { properties: { value: string }[] }) => one.properties[0]?.value === 'true',
  );
  for (const name of ['pino', 'zod', 'preact', 'smol-toml'])
    expect(bundled.map((one: { name: string }) => one.name)).toContain(name);
  for (const { name, version } of bundled) expect(notices).toContain(`\n${name} ${version} (`);
  expect(bill.components.map((one: { name: string }) => one.name)).toEqual(
    expect.arrayContaining(['@photostructure/sqlite', 'node-notifier']),
  );
});

test('the same materials give the same bill', () => {
  const bill = billOfMaterials('1.0.0', [
    { name: '@a/b', version: '2.0.0', license: 'MIT OR ISC', texts: [], isBundled: true },
  ]);
  expect(JSON.parse(bill)).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'belfry', version: '1.0.0', purl: 'pkg:npm/belfry@1.0.0' } },
    components: [{ purl: 'pkg:npm/%40a/b@2.0.0', licenses: [{ expression: 'MIT OR ISC' }] }],
    dependencies: [{ ref: 'pkg:npm/belfry@1.0.0', dependsOn: ['pkg:npm/%40a/b@2.0.0'] }],
  });
});

// The shape of files: one purpose, said in the first line; nothing left over.
import { expect, test } from 'vitest';
import { files, read, sources } from './files.ts';

test('every source file opens with a comment that says what it is for', () => {
  const missing = sources.filter((file) => !/^(#!.*\n)?(\/\/|#|\/\*) ?\S/.test(read(file)));
  expect(missing).toEqual([]);
});

test('no file is named for being a help to others', () => {
  expect(sources.filter((file) => /\b(utils?|helpers?|managers?|misc|common)\b/i.test(file))).toEqual([]);
});

test('no marker of unfinished work, no test left out', () => {
  const mark = new RegExp(
    ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].map((word) => `\\b${word}\\b`).join('|'),
  );
  const left = files
    .filter((file) => /^(src|hooks|installers|test|bench)\//.test(file) && /\.(ts|sh)$/.test(file))
    .filter((file) => mark.test(read(file)) || /\b(it|test|describe)\.(only|skip|todo)\(/.test(read(file)));
  expect(left).toEqual([]);
});

test('no host of a registry and no download address in the lock file', () => {
  const host = new RegExp(['registry', 'npmjs', 'org'].join('\\.'));
  expect(
    files.filter((file) => /\.(ts|js|json|md|sh|toml|yml)$|^\.ci\/run$|^\.npmrc$/.test(file) && host.test(read(file))),
  ).toEqual([]);
  expect(/"resolved": *"http/.test(read('package-lock.json'))).toBe(false);
});

test('the top level holds what it should and nothing else', () => {
  const top = [...new Set(files.map((file) => file.split('/')[0] ?? ''))].sort();
  const allowed = [
    '.ci',
    '.gitignore',
    '.npmrc',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bench',
    'docs',
    'hooks',
    'installers',
    'package-lock.json',
    'package.json',
    'src',
    'test',
    'tsconfig.json',
  ];
  expect(top.filter((name) => !allowed.includes(name))).toEqual([]);
});

test('only the writer of decisions commits them', () => {
  const commits = files
    .filter((file) => /^src\/.*\.ts$/.test(file) && !file.startsWith('src/store/'))
    .filter((file) => /\bstore\.commit\(/.test(read(file)));
  expect(commits).toEqual(['src/decisions/writer.ts']);
});

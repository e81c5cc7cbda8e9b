// What the page weighs: everything that its first address loads, gzipped.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../conventions/files.ts';

test('the page is at most 60 KB gzipped, without what only the charts need', () => {
  const folder = `${root}/dist/web`;
  const document = readFileSync(`${folder}/index.html`, 'utf8');
  const assets = [...document.matchAll(/\/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
  expect(assets.map((name) => name.split('.').at(-1)).sort()).toEqual(['css', 'js']);
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const text = readFileSync(`${folder}/assets/${name}`, 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)) load(other);
  };
  assets.forEach(load);
  const bytes = [...loaded].reduce((sum, name) => sum + gzipSync(readFileSync(`${folder}/assets/${name}`)).length, 0);
  expect(bytes).toBeLessThan(60 * 1_024);
  expect(
    readdirSync(`${folder}/assets`).some((name) =>
      readFileSync(`${folder}/assets/${name}`, 'utf8').includes('ZodError'),
    ),
  ).toBe(false);
});

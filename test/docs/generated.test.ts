// Every page of docs/ that is made from the program is as the program is now; `npm run docs` writes them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { between, wrap } from '../../.ci/markdown.ts';
import { generatedPages } from '../../.ci/generated-pages.ts';
import { agents } from '../../src/agents/index.ts';
import { channels } from '../../src/channels/index.ts';

const root = new URL('../../', import.meta.url).pathname;

test.each(Object.entries(generatedPages))('%s is up to date', async (path, render) => {
  const file = join(root, path);
  expect(existsSync(file), 'run `npm run docs`').toBe(true);
  const page = readFileSync(file, 'utf8');
  expect(await render(page), 'run `npm run docs`').toBe(page);
});

test('every setting says what it means', () => {
  expect(readFileSync(join(root, 'docs/reference/settings.md'), 'utf8')).not.toMatch(/^\| `.*\| +\|$/m);
});

test('each agent and each channel has a page, and its folder lists it', () => {
  const pages = Object.keys(generatedPages);
  for (const { name } of agents) expect(pages).toContain(`docs/agents/${name}.md`);
  for (const { type } of channels) expect(pages).toContain(`docs/channels/${type}.md`);
  const index = (folder: string): string => readFileSync(join(root, 'docs', folder, 'README.md'), 'utf8');
  for (const { name } of agents) expect(index('agents')).toContain(`](${name}.md)`);
  for (const { type } of channels) expect(index('channels')).toContain(`](${type}.md)`);
});

test('lines are wrapped between words, not in code or links', () => {
  const link = '[a link of some words](https://example.com/with/a/path)';
  const lines = wrap(`${'word '.repeat(20)}\`code with spaces in it\` ${'word '.repeat(17)}${link}`, '- ').split('\n');
  expect(lines.length).toBe(3);
  expect(lines.map((line) => line.slice(0, 2))).toEqual(['- ', '  ', '  ']);
  expect(lines.every((line) => line.length <= 120)).toBe(true);
  expect(lines.join('\n')).toContain('`code with spaces in it`');
  expect(lines.join('\n')).toContain(link);
});

test('a page without its markers is refused, not emptied', () => {
  expect(() => between('text', ['<a>', '</a>'], 'made')).toThrow('markers');
  expect(between('1\n<a>\nold\n</a>\n2\n', ['<a>', '</a>'], 'made')).toBe('1\n<a>\n\nmade\n\n</a>\n2\n');
});

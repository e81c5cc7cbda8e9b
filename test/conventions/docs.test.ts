// The papers agree with the code: links lead somewhere, the README's commands run in CI, the import table is the checked one.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { RULES } from '../../.ci/import-rules.ts';
import { files, read, root } from './files.ts';

const papers = files.filter((file) => file.endsWith('.md') && !file.startsWith('test/fixtures/'));

/** The anchor a heading gets. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

test('every link between the papers leads to a file and a heading', () => {
  const broken = papers.flatMap((paper) =>
    [...read(paper).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, target = '', fragment]) => {
        const file = target === '' ? paper : join(dirname(paper), target);
        if (!existsSync(join(root, file))) return [`${paper}: ${target}`];
        if (fragment === undefined || !file.endsWith('.md')) return [];
        const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text));
        return headings.includes(fragment) ? [] : [`${paper}: ${target}#${fragment}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

test('every page of docs is listed in docs/README.md or in the README.md of its folder', () => {
  const listed = (file: string): boolean =>
    [...new Set(['docs', dirname(file)])].some((folder) => {
      const index = join(folder, 'README.md');
      return papers.includes(index) && read(index).includes(`](${relative(folder, file)})`);
    });
  const pages = papers.filter((file) => file.startsWith('docs/') && file !== 'docs/README.md');
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((page) => !listed(page))).toEqual([]);
});

test('every picture of docs is shown by a page', () => {
  const pictures = files.filter((file) => /^docs\/.*\.(?:png|svg)$/.test(file));
  const shown = papers.flatMap((paper) =>
    [...read(paper).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) => join(dirname(paper), target)),
  );
  expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});

test("CI runs the README's commands", () => {
  const ci = read('.ci/run');
  const commands = [...read('README.md').matchAll(/^ *(npm ci && .*?)(?: +#.*)?$/gm)].map(([, command = '']) =>
    command.trim(),
  );
  expect(commands.length).toBeGreaterThanOrEqual(2);
  expect(commands.filter((command) => !ci.includes(command))).toEqual([]);
});

test('npm scripts named in the papers exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = papers.flatMap((paper) =>
    [...read(paper).matchAll(/`npm run ([a-z:]+)/g)].map(([, name = '']) => ({ paper, name })),
  );
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
});

test('the table of ARCHITECTURE.md is the one that is checked', () => {
  const table = read('ARCHITECTURE.md').split('may import, besides itself')[1]?.split('\n\n')[0] ?? '';
  const rows = [...table.matchAll(/^\| `([a-z/]+)` \| (.*) \|$/gm)].map(
    ([, folder = '', may = '']) => [folder, [...may.matchAll(/`([a-z/-]+)`/g)].map(([, name = '']) => name)] as const,
  );
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(Object.entries(RULES)));
});

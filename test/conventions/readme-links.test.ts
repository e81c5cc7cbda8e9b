// The README on npm's page: each link and picture absolute once package.json names the repository, and relative again afterwards.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bases, withAbsoluteLinks, withRelativeLinks } from '../../.ci/readme-links.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const at = {
  page: 'https://git.example.com/acme/belfry/blob/HEAD/',
  raw: 'https://git.example.com/acme/belfry/raw/HEAD/',
};

test.each([
  [undefined, null],
  ['git+https://git.example.com/acme/belfry.git', at],
  [{ type: 'git', url: 'git+https://git.example.com/acme/belfry.git' }, at],
  [{ type: 'git', url: 'https://git.example.com/acme/belfry' }, at],
])('the address of %j', (repository, expected) => {
  expect(bases(repository)).toEqual(expected);
});

test.each([
  ['[a](docs/a.md)', `[a](${at.page}docs/a.md)`],
  ['![a](docs/a.png)', `![a](${at.raw}docs/a.png)`],
  [
    '[a](https://example.com/x) [b](#here) [c](docs/c.md#part)',
    `[a](https://example.com/x) [b](#here) [c](${at.page}docs/c.md#part)`,
  ],
])('%s', (text, expected) => {
  expect(withAbsoluteLinks(text, at)).toBe(expected);
  expect(withRelativeLinks(expected, at)).toBe(text);
});

test('the README itself: nothing relative is left, and it comes back as it was', () => {
  const absolute = withAbsoluteLinks(readme, at);
  expect(absolute).toContain(`](${at.raw}docs/pictures/notification.png)`);
  expect(absolute).not.toMatch(/\]\((?!https:|#)/);
  expect(withRelativeLinks(absolute, at)).toBe(readme);
});

// Taking something out of config.toml by its name: what it was is gone, and everything else, comments included, is as it was.
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { removeSetting } from '../../../src/config/toml/edit-setting.ts';

/** What is removed, from what, and what is left; null: there is nothing of that name. */
const CASES: readonly (readonly [string, readonly (string | number)[], string, string | null])[] = [
  ['a setting with its line', ['a', 'x'], '[a]\nx = 1 # one\n# about y\ny = 2\n', '[a]\n# about y\ny = 2\n'],
  ['the last line without a line feed', ['a', 'y'], '[a]\nx = 1\ny = 2', '[a]\nx = 1\n'],
  ['a pair of an inline table', ['a', 'x'], 'a = { x = 1, y = 2 }\n', 'a = { y = 2 }\n'],
  ['its last pair', ['a', 'y'], 'a = { x = 1, y = 2 }\n', 'a = { x = 1 }\n'],
  ['the first item', ['r', 'to', 0], '[r]\nto = ["a", "b"]\n', '[r]\nto = ["b"]\n'],
  ['the last item', ['r', 'to', 1], '[r]\nto = ["a", "b"] # who\n', '[r]\nto = ["a"] # who\n'],
  ['the only item', ['r', 'to', 0], '[r]\nto = ["a"]\n', '[r]\nto = []\n'],
  [
    'an item on a line of its own, with its comment',
    ['r', 'to', 0],
    '[r]\nto = [\n  "a", # me\n  "b", # you\n]\n',
    '[r]\nto = [\n  "b", # you\n]\n',
  ],
  ['the last of them', ['r', 'to', 1], '[r]\nto = [\n  "a",\n  "b"\n]\n', '[r]\nto = [\n  "a"\n]\n'],
  ['one before a comma on the next line', ['r', 'to', 0], '[r]\nto = ["a"\n, "b"]\n', '[r]\nto = ["b"]\n'],
  [
    'a table, with the comment right above it and what is below it',
    ['c', 'b'],
    '# mine\n\n[c.a]\nx = 1\n\n# about b\n[c.b]\ny = 2\n\n[c.b.more]\nz = 3\n\n# about d\n[c.d]\n',
    '# mine\n\n[c.a]\nx = 1\n\n# about d\n[c.d]\n',
  ],
  [
    'a table behind comments that stand apart from it',
    ['c', 'b'],
    '[c.a]\nx = 1\n\n# one\n\n# two\n# [more]\n\n# about b\n[c.b]\ny = 2\n\n[c.d]\n',
    '[c.a]\nx = 1\n\n# one\n\n# two\n# [more]\n\n[c.d]\n',
  ],
  [
    'the last table between such comments',
    ['c', 'b'],
    '[c.a]\nx = 1\n\n# one\n\n# about b\n[c.b]\ny = 2\n# end of b\n\n# two\n\n# three\n',
    '[c.a]\nx = 1\n\n# one\n\n# two\n\n# three\n',
  ],
  [
    'the last table right below another, and a comment at the end',
    ['c', 'b'],
    '[c.a]\nx = 1\n# about b\n[c.b]\ny = 2\n\n# tail\n',
    '[c.a]\nx = 1\n\n# tail\n',
  ],
  ['the last table', ['c', 'b'], '[c.a]\nx = 1\n\n[c.b]\ny = 2\n', '[c.a]\nx = 1\n'],
  ['a table with CRLF', ['c', 'b'], '[c.a]\r\nx = 1\r\n\r\n[c.b]\r\ny = 2\r\n', '[c.a]\r\nx = 1\r\n'],
  ['a quoted name', ['c', 'my team'], '[c."my team"]\nx = 1\n[c.b]\n', '[c.b]\n'],
  ['dotted keys', ['c', 'b'], '[c]\nb.x = 1\na.x = 2\nb.y = 3\n', '[c]\na.x = 2\n'],
  ['dotted keys at the top', ['c', 'b'], 'c.b.x = 1\nc.a.x = 2\n', 'c.a.x = 2\n'],
  ['an inline table in a table', ['c', 'b'], '[c]\nb = { x = 1 }\na = { x = 2 }\n', '[c]\na = { x = 2 }\n'],
  ['a table of a list', ['r', 0], '[[r]]\nx = 1\n[r.m]\ny = 1\n[[r]]\nx = 2\n', '[[r]]\nx = 2\n'],
  ['another section of that beginning stays', ['c', 'b'], '[c.b]\n[c.bb]\nx = 1\n', '[c.bb]\nx = 1\n'],
  ['what is not there', ['c', 'x'], '[c]\ny = 1\n', null],
  ['an item that is not there', ['r', 'to', 3], '[r]\nto = ["a"]\n', null],
];

test.each(CASES)('%s', async (_what, path, before, after) => {
  expect(await removeSetting(before, path)).toBe(after);
  if (after !== null) expect(() => parse(after)).not.toThrow();
});

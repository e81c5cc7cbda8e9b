// The rules of config.toml as one text, and back: whatever else the file says, its comments and its order stay.
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { rulesTextOf, withRulesText } from '../../../src/config/rules/rules-text.ts';

const FILE = `# My pager.
# Changed last on Monday.

[channels.desk]
type = "desktop" # at home

# --- who hears of what ---

# What is urgent.
[[routes]]
match = { urgency = "urgent" } # always
to = ["desk", "phone"]

[[routes]]
to = ["desk"]
# to = ["team"]

# The phone, which has no battery left.
[channels.phone]
type = "ntfy"
topic = "secret:topic"

# At night.
[quiet]
hours = ["22:00-07:00"]

# The end.

[retention]
days = 3
`;

test('the rules with their comments, and not those of others', async () => {
  expect(await rulesTextOf(FILE)).toBe(`# --- who hears of what ---

# What is urgent.
[[routes]]
match = { urgency = "urgent" } # always
to = ["desk", "phone"]

[[routes]]
to = ["desk"]
# to = ["team"]

# At night.
[quiet]
hours = ["22:00-07:00"]
`);
  expect(await rulesTextOf('[channels.a]\ntype = "desktop"\n')).toBe('');
  expect(await rulesTextOf('')).toBe('');
  expect(await rulesTextOf('quiet.hours = []\n[channels.a]\ntype = "x"\n')).toBe('quiet.hours = []\n');
});

test('unchanged rules are the same file, byte for byte', async () => {
  for (const file of [
    FILE,
    FILE.replaceAll('\n', '\r\n'),
    FILE.trimEnd(),
    FILE.replaceAll('\n\n', '\n'),
    'quiet.hours = []\n[channels.a]\ntype = "x"\n',
    '[channels.a]\ntype = "x"\n[quiet]\n[channels.b]\ntype = "x"\n[messages.title]\ntest = "{title}"\n',
  ])
    expect(await withRulesText(file, await rulesTextOf(file)), file).toBe(file.trimEnd() === file ? `${file}\n` : file);
});

const changes: readonly (readonly [
  what: string,
  change: (rules: string) => string,
  lines: (file: string) => string,
])[] = [
  ['a value', (r) => r.replace('["desk", "phone"]', '["phone"]'), (f) => f.replace('["desk", "phone"]', '["phone"]')],
  ['a comment', (r) => r.replace('# always', '# never'), (f) => f.replace('# always', '# never')],
  ['the hours', (r) => r.replace('22:00', '21:00'), (f) => f.replace('22:00', '21:00')],
  [
    'a route in between',
    (r) => r.replace('[[routes]]\nto = ["desk"]', '[[routes]]\nto = []\n\n[[routes]]\nto = ["desk"]'),
    (f) => f.replace('[[routes]]\nto = ["desk"]', '[[routes]]\nto = []\n\n[[routes]]\nto = ["desk"]'),
  ],
  [
    'a section at the end',
    (r) => `${r}\n[messages]\non_resolved = "keep"\n`,
    (f) => f.replace('07:00"]\n\n', '07:00"]\n\n[messages]\non_resolved = "keep"\n\n'),
  ],
  [
    'quiet hours taken out',
    (r) => r.replace(/\n# At night[\s\S]*$/, ''),
    (f) => f.replace('# At night.\n[quiet]\nhours = ["22:00-07:00"]\n\n', ''),
  ],
  [
    'all of them taken out',
    () => '',
    (f) =>
      f
        .replace(/# --- who[\s\S]*# to = \["team"\]\n\n/, '')
        .replace('# At night.\n[quiet]\nhours = ["22:00-07:00"]\n\n', ''),
  ],
];

for (const feed of ['\n', '\r\n'])
  test.each(changes)(`%s, ${JSON.stringify(feed)}`, async (_what, change, lines) => {
    const file = FILE.replaceAll('\n', feed);
    expect(await withRulesText(file, change(await rulesTextOf(file)))).toBe(lines(FILE).replaceAll('\n', feed));
  });

test('into a file without rules, and one without anything', async () => {
  const rules = '[quiet]\nhours = []\n';
  expect(await withRulesText('', rules)).toBe(rules);
  expect(await withRulesText('[channels.a]\ntype = "x"', rules)).toBe(`[channels.a]\ntype = "x"\n\n${rules}`);
  expect(await withRulesText('# only words\n', rules)).toBe(`# only words\n\n${rules}`);
});

test('what cannot be put there without changing something else is refused', async () => {
  // A setting without a table belongs before all tables.
  expect(await withRulesText('[channels.a]\ntype = "x"\n', 'quiet.hours = []\n')).toBeNull();
  const inline = 'routes = [{ to = [] }]\nquiet.hours = []\n[channels.a]\ntype = "x"\n';
  const changed = await withRulesText(inline, '[[routes]]\nto = ["a"]\n[quiet]\nhours = []\n');
  expect(parse(changed ?? '')).toEqual({
    channels: { a: { type: 'x' } },
    routes: [{ to: ['a'] }],
    quiet: { hours: [] },
  });
});

test('routes keep their order whatever stands between them', async () => {
  const file = '[[routes]]\nto = ["a"]\n[api]\n[[routes]]\nto = ["b"]\n[network]\n[[routes]]\nto = ["c"]\n';
  for (const names of [['c', 'b', 'a'], ['a', 'x', 'b', 'c'], ['b'], ['c', 'a'], ['x', 'a', 'b', 'c', 'y'], []]) {
    const rules = names.map((name) => `[[routes]]\nto = ["${name}"]\n`).join('');
    const text = (await withRulesText(file, rules)) ?? '';
    const { routes = [] } = parse(text) as { routes?: { to: string[] }[] };
    expect(routes.map(({ to }) => to[0])).toEqual(names);
    expect(text.match(/^\[\w+\]$/gm)).toEqual(['[api]', '[network]']);
  }
});

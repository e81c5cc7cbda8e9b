// Rules that may not take the place of those of the file, each with where it says so.
import { expect, test } from 'vitest';
import { checkRules, LONGEST_RULES, placeRules } from '../../../src/config/rules/check-rules.ts';
import { registries } from '../../../src/config/registries.ts';

const FILE = `[channels.desk]
type = "desktop"
[channels.log]
type = "command"
run = ["true"]
[channels.other]
type = "command"
run = ["true"]
[[routes]]
to = ["desk", "log"]
`;

const check = (rules: string, file = FILE) => checkRules(file, rules, registries);

const refusals: readonly (readonly [what: string, rules: string, line: number | null, says: string])[] = [
  [
    'another section',
    '[[routes]]\nto = []\n\n[channels.evil]\ntype = "command"\nrun = ["sh"]\n',
    4,
    'is no rule: only',
  ],
  ['a setting of another section', 'retention.days = 1\n', 1, 'is no rule'],
  ['the prototype', '[__proto__]\na = 1\n', 1, 'reserved'],
  [
    'a channel that is not there',
    '[[routes]]\nto = [\n  "desk",\n  "desc",\n]\n',
    4,
    'no [channels.desc] in this file',
  ],
  ['no list', '[[routes]]\nto = "desk"\n', 2, 'must be a list'],
  ['no such setting', '[[routes]]\nto = []\nfor = 1\n', 3, 'no such setting'],
  ['no TOML', '[[routes]]\nto = [\n', 3, ''],
  ['a duration that is none', '[[routes]]\nto = []\ndelay = "soon"\n', 3, 'delay'],
  ['quiet for ever', '[quiet]\nhours = ["00:00-24:00"]\n', 2, 'cover the whole week'],
  ['a field that a message has not', '[messages]\ntitle = { test = "{nothing}" }\n', 2, 'no field {nothing}'],
  ['a program', '[[routes]]\nto = ["desk", "other"]\n', 2, 'other runs a program'],
  [
    'a program as a step',
    '[[routes]]\nto = ["desk"]\nescalate = [{ after = "1m", to = ["other"] }]\n',
    3,
    'other runs',
  ],
  ['too long', `#${'x'.repeat(LONGEST_RULES)}`, null, 'longer than'],
  ['nested beyond measure', `quiet = ${'['.repeat(5_000)}`, 1, ''],
];

test.each(refusals)('%s', async (_what, rules, line, says) => {
  const checked = await check(rules);
  expect(checked.ok).toBe(false);
  const [first] = checked.ok ? [] : checked.errors;
  expect(first?.line).toBe(line);
  expect(first?.message).toContain(says);
});

test('a program that a route names already may be named by others', async () => {
  expect((await check('[[routes]]\nto = ["log"]\n[[routes]]\nto = ["desk", "log"]\n')).ok).toBe(true);
});

test('of a program that no route names any more it is said that only the file can bring it back', async () => {
  const drops = await check('[[routes]]\nto = ["desk"]\n');
  expect(drops).toMatchObject({ ok: true, dropped: ['log'] });
  expect((drops.ok ? drops.warnings : []).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^config\.toml, line 3: channels\.log: it runs a program: once this is saved, only/),
  );
  const step = '[[routes]]\nto = ["desk"]\nescalate = [{ after = "1m", to = ["log"] }]\n';
  expect(await check(step)).toMatchObject({ ok: true, dropped: [] });
});

test('a file that is broken elsewhere is not written, and says where', async () => {
  const broken = await check('[[routes]]\nto = []\n', '[channels.desk\ntype = "desktop"\n');
  expect(broken).toEqual({
    ok: false,
    errors: [{ line: null, column: null, message: expect.stringMatching(/^config\.toml is broken on line 1: /) }],
  });
  const invalid = await check('[[routes]]\nto = []\n', `${FILE}[retention]\ndays = "many"\n`);
  expect(invalid).toEqual({
    ok: false,
    errors: [{ line: null, column: null, message: 'config.toml, line 12: retention.days: must be a number' }],
  });
});

test('rules that are broken in the file can be put right', async () => {
  const [rules, file] = ['[[routes]]\nto = ["desk"]\n', FILE.replace('"desk", "log"', '"nobody"')];
  expect(await check(rules, file)).toMatchObject({ ok: true });
  expect(await placeRules(file, rules)).toEqual({ ok: true, text: FILE.replace('"desk", "log"', '"desk"') });
});

test('of very many mistakes the first hundred are said', async () => {
  const checked = await check(`routes = [${'1,'.repeat(20_000)}]\n`);
  expect(checked.ok ? [] : checked.errors).toHaveLength(100);
});

test('what somebody may not have meant is said with its line', async () => {
  const checked = await check('# only these\n[[routes]]\nmatch = { kind = "agent.waiting" }\nto = ["desk"]\n');
  expect(checked).toMatchObject({ ok: true });
  const messages = (checked.ok ? checked.warnings : []).map(({ line, message }) => `${line}: ${message}`);
  expect(messages).toContainEqual(expect.stringMatching(/^2: routes: no route takes agent\.finished/));
  expect(messages).toContainEqual(
    expect.stringMatching(/^null: config\.toml, line 3: channels\.log: no route names it/),
  );
});

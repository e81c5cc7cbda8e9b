// `belfry config`: check, set and edit, as people and programs see them.
import { lstatSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { homeWith, writeSettings } from '../support/thread.ts';

test('a file named that is not there is an error; none where the settings belong is not', async () => {
  const home = temporaryFolder();
  const named = await belfry(home, ['config', 'check', join(home, 'nope.toml')]);
  expect(named).toMatchObject({ code: 4, stdout: '' });
  expect(named.stderr).toMatch(/nope\.toml does not exist: give the path of a settings file\n$/);
  expect(await belfry(home, ['config', 'check'])).toMatchObject({ code: 0, stderr: '' });
});

test('every error in one go, one line each, in the order of the file', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), '[channels.d]\ntype = "desktop"\nsound = "yes"\nlevel = "loud"\n');
  const ran = await belfry(home, ['config', 'check']);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  const lines = ran.stderr.trim().split('\n');
  expect(lines.map((line) => line.replace(/^.*config\.toml:/, ''))).toEqual([
    '3:9: channels.d.sound: must be true or false',
    '4:9: channels.d.level: invalid value "loud"; expected full, short, title',
  ]);
});

test('a syntax error shows its line with a caret, and no secret', async () => {
  const home = homeWith('[daemon]\nautostart = yes\n');
  const ran = await belfry(home, ['config', 'check']);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toBe(
    `${join(home, 'config.toml')}:2:13: invalid value; write true or false\n  2 | autostart = yes\n    |             ^\n`,
  );
  writeSettings(home, '[api]\nkey = "sesame-open\n');
  const secret = await belfry(home, ['config', 'check']);
  expect(secret.stderr).toContain('  2 | key = "***********\n    |                   ^');
  expect(secret.stderr).not.toContain('sesame');
  expect(await json(home, ['config', 'check'], 2)).toMatchObject({
    ok: false,
    errors: [{ line: 2, column: 19, key: '', message: 'closing quote missing' }],
    warnings: [],
  });
});

const SECRETS =
  '[channels.a]\ntype = "webhook"\nurl = "https://example.com/x"\nsecret = "env:AUDIT_SECRET"\n[[routes]]\nto = ["a"]\n';

test('secrets are looked up where the daemon looks, and it is said when only this shell could be asked', async () => {
  const home = homeWith(SECRETS);
  const alone = await belfry(home, ['config', 'check']);
  expect(alone.code).toBe(0);
  expect(alone.stderr).toMatch(/:4:10: channels\.a\.secret: will not work: the variable AUDIT_SECRET is not set/);
  expect(alone.stderr).toMatch(/no daemon is running, so secrets were looked up from this shell/);
  expect(alone.stdout).toMatch(/config\.toml has no errors, but 1 warning \(see above\)\n$/);
  const here = await belfry(home, ['config', 'check'], { env: { AUDIT_SECRET: 'x' } });
  expect(here.stdout).toMatch(/config\.toml is valid\n$/);
  await startDaemon(home, { env: { AUDIT_SECRET: 'x' } });
  expect(await belfry(home, ['config', 'check'])).toMatchObject({ code: 0, stderr: '' });
  expect(await json(home, ['config', 'check'])).toMatchObject({ ok: true, warnings: [], secrets_checked_by: 'daemon' });
  writeSettings(home, SECRETS.replace('env:AUDIT_SECRET', 'env:OTHER'));
  const wrong = await belfry(home, ['config', 'check'], { env: { OTHER: 'only in this shell' } });
  expect(wrong.stderr).toMatch(/the variable OTHER is not set in the daemon's environment/);
  expect(wrong.stderr).not.toMatch(/this shell/);
});

/** Name, file, arguments, and the file afterwards. */
const CHANGES: readonly (readonly [string, string, readonly [string, string], string])[] = [
  [
    'a value, its comment kept',
    '# top\n[retention]\ndays = 30 # a month\n',
    ['retention.days', '60'],
    '# top\n[retention]\ndays = 60 # a month\n',
  ],
  ['text without quotes', '[context]\ntimeout = "3s"\n', ['context.timeout', '5s'], '[context]\ntimeout = "5s"\n'],
  [
    'a new key of a table',
    '[retention] # r\ndays = 30 # a month\n\n# next\n[daemon]\n',
    ['retention.size', '100MB'],
    '[retention] # r\ndays = 30 # a month\nsize = "100MB"\n\n# next\n[daemon]\n',
  ],
  ['a key of an empty table', '[daemon] # d\n', ['daemon.autostart', 'false'], '[daemon] # d\nautostart = false\n'],
  ['a new table', '# mine\n', ['daemon.autostart', 'false'], '# mine\n\n[daemon]\nautostart = false\n'],
  [
    'a key of an inline table',
    '[channels.d]\ntype = "desktop"\n[[routes]]\nmatch = { urgency = "urgent" } # u\nto = ["d"]\n',
    ['routes[0].match.kind', 'agent.waiting'],
    '[channels.d]\ntype = "desktop"\n[[routes]]\nmatch = { urgency = "urgent", kind = "agent.waiting" } # u\nto = ["d"]\n',
  ],
  [
    'a list in the second route',
    '[channels.d]\ntype = "desktop"\n[[routes]]\nto = []\n[[routes]]\nto = []\n',
    ['routes[1].to', '["d"]'],
    '[channels.d]\ntype = "desktop"\n[[routes]]\nto = []\n[[routes]]\nto = ["d"]\n',
  ],
  [
    'a key of the first route',
    '[[routes]]\nto = []\n\n[[routes]]\nto = []\n',
    ['routes[0].also', 'true'],
    '[[routes]]\nto = []\nalso = true\n\n[[routes]]\nto = []\n',
  ],
  [
    'a quoted name',
    '[channels."my team"]\ntype = "desktop"\n',
    ['channels."my team".sound', 'true'],
    '[channels."my team"]\ntype = "desktop"\nsound = true\n',
  ],
  ['lines that end as on Windows', '[daemon]\r\n', ['daemon.autostart', 'false'], '[daemon]\r\nautostart = false\r\n'],
  ['no line feed at the end', '[daemon]', ['daemon.autostart', 'false'], '[daemon]\nautostart = false'],
];

test.each(CHANGES)('config set changes %s', async (_name, before, args, after) => {
  const home = homeWith(before);
  const ran = await belfry(home, ['config', 'set', ...args]);
  expect([ran.code, readFileSync(join(home, 'config.toml'), 'utf8')]).toEqual([0, after]);
  expect(statSync(join(home, 'config.toml')).mode & 0o777).toBe(0o600);
});

test.each([
  ['an invalid value', ['retention.days', 'many'], /retention\.days: must be a number; nothing was changed/],
  [
    'a setting nobody knows',
    ['retention.dayz', '3'],
    /retention\.dayz: no such setting; did you mean "retention\.days"\?; nothing was changed/,
  ],
  [
    'one where a list is wanted',
    ['quiet.hours', '22:00-07:00'],
    /quiet\.hours: must be a list in \[ \], such as '\["22:00-07:00"\]'; nothing was changed/,
  ],
  [
    'a name and a value in one word',
    ['api.key=sesame'],
    /VALUE is missing: write a space for the = after api\.key; see/,
  ],
  ['a table', ['retention', '3'], /retention is a table: name one setting in it; nothing was changed/],
  ['a route that is not there', ['routes[3].to', '[]'], /is not there to be changed: use `belfry config edit`/],
  ['no name at all', ['..', '3'], /"\.\." is not the name of a setting; write one such as retention\.days/],
  ['a channel that is not there', ['routes[0].to', '["x"]'], /no \[channels\.x\] in this file/],
])('config set refuses %s and leaves the file as it was', async (_name, args, said) => {
  const text = '[retention]\ndays = 30\n[[routes]]\nto = []\n';
  const home = homeWith(text);
  const ran = await belfry(home, ['config', 'set', ...args]);
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toMatch(said);
  expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(text);
});

test('config set: no file yet, behind a link, an invalid setting corrected by it, a secret, a syntax error', async () => {
  const home = temporaryFolder();
  expect(await json(home, ['config', 'set', 'daemon.autostart', 'false'])).toMatchObject({
    ok: true,
    key: 'daemon.autostart',
    value: 'false',
  });
  const elsewhere = join(temporaryFolder(), 'dotfile.toml');
  renameSync(join(home, 'config.toml'), elsewhere);
  symlinkSync(elsewhere, join(home, 'config.toml'));
  expect((await belfry(home, ['config', 'set', 'daemon.autostart', 'true'])).stdout).toBe('daemon.autostart = true\n');
  expect([readFileSync(elsewhere, 'utf8'), lstatSync(join(home, 'config.toml')).isSymbolicLink()]).toEqual([
    '[daemon]\nautostart = true\n',
    true,
  ]);
  writeSettings(home, '[retention]\ndays = "x"\n');
  expect((await belfry(home, ['config', 'set', 'retention.days', '7'])).code).toBe(0);
  const secret = await belfry(home, ['config', 'set', 'api.key', 'sesame-open']);
  expect(secret.stdout).toBe('api.key = (hidden)\n');
  expect(secret.stderr).not.toContain('sesame');
  writeSettings(home, '[retention]\ndays 3\n');
  expect((await belfry(home, ['config', 'set', 'retention.days', '7'])).stderr).toMatch(
    /line 2: = missing; fix this first with `belfry config edit`/,
  );
});

test('config edit opens the editor and checks what it left', async () => {
  const home = temporaryFolder();
  const editor = join(home, 'my editor.sh');
  writeFileSync(editor, '#!/bin/sh\nprintf "%s" "$TEXT" > "$1"\n', { mode: 0o755 });
  const EDITOR = `'${editor}'`;
  const valid = await belfry(home, ['config', 'edit'], { env: { EDITOR, TEXT: '[retention]\ndays = 3\n' } });
  expect(valid).toMatchObject({ code: 0, stdout: expect.stringMatching(/config\.toml is valid\n$/) });
  const broken = await belfry(home, ['config', 'edit'], { env: { EDITOR: 'false', VISUAL: EDITOR, TEXT: 'x' } });
  expect(broken).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/:1:1: = missing\n[\s\S]*keeps the previous settings/),
  });
  const failed = await belfry(home, ['config', 'edit'], { env: { EDITOR: 'false' } });
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the editor "false" ended with 1; the settings were not checked/),
  });
  const alone = await belfry(home, ['config', 'edit'], { env: { EDITOR: undefined, VISUAL: undefined } });
  expect(alone).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/no terminal for an editor: use /),
  });
  const none = await belfry(home, ['config', 'edit'], { env: { EDITOR: 'no-such-editor-here' } });
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot start the editor "no-such-editor-here": set VISUAL or EDITOR/),
  });
});

async function json(home: string, args: readonly string[], code = 0): Promise<unknown> {
  const ran = await belfry(home, [...args, '--json']);
  expect(ran.code, ran.stderr).toBe(code);
  return JSON.parse(ran.stdout);
}

test('set: what a new channel needs comes together, and the error says so', async () => {
  const home = temporaryFolder();
  const alone = await belfry(home, ['config', 'set', 'channels.team.type', 'slack']);
  expect(alone).toMatchObject({ code: 2, stdout: '' });
  expect(alone.stderr).toMatch(
    /channels\.team\.url: is missing; nothing was changed\. Set them together: belfry config set channels\.team\.type VALUE channels\.team\.url VALUE\n$/,
  );
  const given = ['channels.team.type', 'slack', 'channels.team.url', 'secret:team'];
  const together = await belfry(home, ['config', 'set', ...given]);
  expect(together).toMatchObject({ code: 0 });
  expect(together.stdout).toContain('channels.team.type = "slack"\nchannels.team.url = "secret:team"\n');
  expect(await belfry(home, ['config', 'set', 'retention.days', '7', 'context.messages'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the value of context.messages is missing') as string,
  });
});

// `belfry config get` and `unset`: what is in force, and back to it.
import { readFileSync, symlinkSync, writeFileSync, lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configText } from '../../../../src/cli/commands/setup/config-text.ts';
import { temporaryFolder } from '../../../support/home.ts';
import { belfry } from '../../../support/programs.ts';

const TEXT = `# mine
[retention]
days = 60 # two months

[channels.desk]
type = "desktop"

[channels.team]
type = "slack"
url = "https://hooks.slack.com/services/T0/B0/hush"

[[routes]]
to = [
  "desk", # me
  "team",
]
`;

function homeWith(text: string): string {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), text, { mode: 0o600 });
  return home;
}
const config = (home: string): string => readFileSync(join(home, 'config.toml'), 'utf8');

test('get prints what is in force: text as it is, lists and sections as TOML, defaults too, secrets never', async () => {
  const home = homeWith(TEXT);
  const printed = async (name: string) => (await belfry(home, ['config', 'get', name])).stdout;
  expect(await printed('retention.days')).toBe('60\n');
  expect(await printed('channels.desk.type')).toBe('desktop\n');
  expect(await printed('routes[0].to')).toBe('["desk", "team"]\n');
  expect(await printed('routes[0].to[1]')).toBe('team\n');
  expect(await printed('routes')).toContain('[[routes]]\nto = [ "desk", "team" ]\n');
  expect(await printed('retention')).toContain('days = 60\n');
  expect(await printed('channels.team')).not.toContain('hush');
  expect(await printed('daemon.autostart')).toBe('true\n');
  const json = JSON.parse((await belfry(home, ['config', 'get', 'retention.days', '--json'])).stdout);
  expect(json).toEqual({ file: join(home, 'config.toml'), key: 'retention.days', value: 60, from: 'own' });
  const byDefault = JSON.parse((await belfry(home, ['config', 'get', 'daemon.autostart', '--json'])).stdout);
  expect(byDefault).toMatchObject({ value: true, from: 'default' });
});

test('get of what is not there is exit 4, of no name 2, and an invalid file says where', async () => {
  const home = homeWith(TEXT);
  expect(await belfry(home, ['config', 'get', 'retention.dayz'])).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringMatching(
      /^belfry config get: retention\.dayz is not set, and has no default; did you mean "retention\.days"\?\n$/,
    ),
  });
  expect(await belfry(home, ['config', 'get', 'a..b'])).toMatchObject({ code: 2 });
  const broken = homeWith('[retention]\ndays = "x"\n');
  expect(await belfry(broken, ['config', 'get', 'retention.days'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('config.toml:2:8: retention.days'),
  });
});

test('unset takes a line out, and says the default; a link stays a link', async () => {
  const home = homeWith(TEXT);
  renameSync(join(home, 'config.toml'), join(home, 'elsewhere.toml'));
  symlinkSync(join(home, 'elsewhere.toml'), join(home, 'config.toml'));
  const ran = await belfry(home, ['config', 'unset', 'retention.days']);
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/^retention\.days = \d+ \(the default\)\n$/)]);
  expect(config(home)).toBe(TEXT.replace('days = 60 # two months\n', ''));
  expect(lstatSync(join(home, 'config.toml')).isSymbolicLink()).toBe(true);
  const again = await belfry(home, ['config', 'unset', 'retention.days']);
  expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('retention.days is not set in')]);
  const item = await belfry(home, ['config', 'unset', 'routes[0].to[0]']);
  expect([item.code, item.stdout]).toEqual([0, 'routes[0].to[0] is not set any more\n']);
  expect(config(home)).toContain('to = [\n  "team",\n]\n');
});

test('what the rest needs is not taken out; what is wrong can be', async () => {
  const home = homeWith(TEXT);
  const refused = await belfry(home, ['config', 'unset', 'channels.desk']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('routes[0].to[0]: no [channels.desk] in this file; known: team; nothing was changed'),
  ]);
  expect(config(home)).toBe(TEXT);
  const wrong = homeWith(`${TEXT}\n[nonsense]\nx = 1\n`);
  expect(await belfry(wrong, ['config', 'unset', 'nonsense'])).toMatchObject({ code: 0 });
  expect(config(wrong)).toBe(TEXT);
  const noToml = homeWith('[retention\n');
  expect(await belfry(noToml, ['config', 'unset', 'retention'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('fix this first with `belfry config edit`'),
  });
});

test('unset takes out a table that it leaves empty, and keeps one with a comment, with others below it, or of a list', async () => {
  const left = async (text: string, name: string): Promise<string> => {
    const home = homeWith(text);
    expect(await belfry(home, ['config', 'unset', name])).toMatchObject({ code: 0 });
    return config(home);
  };
  expect(await left('[retention]\ndays = 60\n\n[quiet]\nurgent = "hold"\n', 'retention.days')).toBe(
    '[quiet]\nurgent = "hold"\n',
  );
  expect(await left('[quiet]\nurgent = "hold"\n\n[retention]\ndays = 60\n', 'retention.days')).toBe(
    '[quiet]\nurgent = "hold"\n',
  );
  const written = configText([]); // comments stand before what is added at its end
  expect(await left(`${written}\n[retention]\ndays = 60\n`, 'retention.days')).toBe(written);
  expect(await left('[retention] # kept short\ndays = 60\n', 'retention.days')).toBe('[retention] # kept short\n');
  expect(await left('# mine\n[retention]\ndays = 60\n', 'retention.days')).toBe('# mine\n[retention]\n');
  expect(await left('[messages]\n[messages.title]\ntest = "x"\n', 'messages.title.test')).toBe('[messages]\n');
});

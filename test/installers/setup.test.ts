// `belfry setup --yes` in a fresh home, notified through a real receiver; then everything is removed and nothing is left.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, settings, tree } from '../support/fresh-home.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, BELFRY, hook, run } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

test('from nothing to a notification, and back to nothing', async () => {
  const { home, env, before } = freshHome();
  const receiver = await startReceiver();
  const secret = `${receiver.url}/services/secret-path`;
  const done = await belfry(home, ['setup', '--yes'], { env: { ...env, SLACK_WEBHOOK_URL: secret } });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const [settingsLine, agents, answers, channels, daemon, next, ...more] = done.stdout.trimEnd().split('\n');
  expect(settingsLine).toMatch(/^Settings {2}\/.*config\.toml \(created\)$/);
  expect(agents).toBe('Agents    Claude: hooks installed');
  expect(answers).toBe('Answers   `belfry install claude --answer` lets you allow, deny and reply from elsewhere');
  const file = join(home, '.config', 'belfry', 'secrets', 'slack');
  expect(channels).toBe(`Channels  slack: test notification sent; its secret is stored in ${file} (mode 0600)`);
  expect(daemon).toMatch(/^Daemon {4}running; .* the next hook starts it$/);
  expect(next).toMatch(/^Next {6}restart open agent sessions/);
  expect(more).toEqual([]);
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/services/secret-path']);
  expect(done.stdout).not.toContain('secret-path');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${secret}\n`, 0o600]);
  const config = readFileSync(join(home, '.config', 'belfry', 'config.toml'), 'utf8');
  expect(config).toContain('url = "secret:slack"');
  expect(config).toContain('# [channels.webhook]');
  expect(await belfry(home, ['config', 'check'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toContain('belfry-hook');

  // The next daemon has no such variable, and still has the channel.
  await belfry(home, ['restart'], { env });
  expect((await belfry(home, ['test'], { env })).code).toBe(0);
  expect(receiver.requests).toHaveLength(2);

  // A new address in the variable takes the place of the stored one.
  const again = await belfry(home, ['setup', '--yes', '--json'], {
    env: { ...env, SLACK_WEBHOOK_URL: `${receiver.url}/services/newer` },
  });
  expect(JSON.parse(again.stdout)).toMatchObject({
    config: { wrote: false },
    agents: [{ files: [{ action: 'unchanged' }] }],
    secrets: [{ name: 'slack' }],
  });
  expect(receiver.requests.at(-1)?.path).toBe('/services/newer');

  // Settings and secrets are the user's: only --purge deletes them, both together.
  const gone = await belfry(home, ['uninstall'], { env });
  expect(gone).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Kept: your settings in .*, your secrets in /m),
  });
  expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toBe(settings);
  expect(readFileSync(join(home, '.config', 'belfry', 'config.toml'), 'utf8')).toBe(config);
  expect(readFileSync(file, 'utf8')).toBe(`${receiver.url}/services/newer\n`);
  expect((await belfry(home, ['uninstall', '--purge'], { env })).code).toBe(0);
  await belfry(home, ['service', 'uninstall'], { env });
  expect(tree(home)).toEqual(before);
});

test('without a channel it says what adds one; doing so makes one that works', async () => {
  const { home, env } = freshHome();
  const receiver = await startReceiver();
  const done = await belfry(home, ['setup', '--yes'], { env });
  expect(done).toMatchObject({ code: 5, stderr: '' });
  expect(done.stdout).toMatch(/No channel works yet, so nobody is notified\./);
  expect(done.stdout).toMatch(/^ {4}belfry channel add webhook$/m);
  const add = [
    'channel',
    'add',
    'webhook',
    '--set',
    `url=${receiver.url}/added`,
    '--set',
    'allow_private=true',
    '--yes',
  ];
  expect((await belfry(home, add, { env })).code).toBe(0);
  expect((await belfry(home, ['test', 'webhook'], { env })).code).toBe(0);
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/added', '/added']);
});

test('settings without channels are extended, and kept by an uninstallation', async () => {
  const { home, env } = freshHome();
  const receiver = await startReceiver();
  const config = join(home, '.config', 'belfry', 'config.toml');
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, '# mine\n[retention]\ndays = 3');
  const done = await belfry(home, ['setup', '--yes'], { env: { ...env, SLACK_WEBHOOK_URL: receiver.url } });
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\(channels added\)/) });
  expect(readFileSync(config, 'utf8')).toMatch(/^# mine\n\[retention\]\ndays = 3\n[\s\S]*\[channels\.slack\]/);
  const extended = readFileSync(config, 'utf8');
  await belfry(home, ['uninstall'], { env });
  expect(readFileSync(config, 'utf8')).toBe(extended);
});

test('where everything is only recorded, it says that nobody is notified', async () => {
  const { home, env } = freshHome();
  const receiver = await startReceiver();
  const config = join(home, '.config', 'belfry', 'config.toml');
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, `[channels.log]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n`);
  const done = await belfry(home, ['setup', '--yes'], { env });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain('Channels  log: test event recorded\n');
  expect(done.stdout).toContain('`belfry channel add` adds a way to reach you, for log only keeps a record');
});

test('settings with channels are not touched; what they refer to in the environment is pointed out', async () => {
  const { home, env } = freshHome();
  const receiver = await startReceiver();
  const config = join(home, '.config', 'belfry', 'config.toml');
  mkdirSync(dirname(config), { recursive: true });
  const mine = '[channels.a]\ntype = "slack"\nurl = "env:MY_HOOK"\nallow_private = true\n';
  writeFileSync(config, mine);
  const done = await belfry(home, ['setup', '--yes'], { env: { ...env, MY_HOOK: receiver.url } });
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/The settings use MY_HOOK: /) });
  expect(readFileSync(config, 'utf8')).toBe(mine);
});

test('invalid settings are refused before anything is changed', async () => {
  const { home, env } = freshHome();
  mkdirSync(join(home, '.config', 'belfry'), { recursive: true });
  writeFileSync(join(home, '.config', 'belfry', 'config.toml'), 'oops = 1\n');
  const before = tree(home);
  const done = await belfry(home, ['setup', '--yes'], { env });
  expect(done).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/config\.toml:1:1: oops.*correct it/),
  });
  expect(tree(home)).toEqual(before);
});

test('settings of the user and what was sent are kept; --purge deletes them', async () => {
  const { home, env, before } = freshHome();
  const folder = join(home, '.config', 'belfry');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), '# mine\n');
  const done = await belfry(home, ['setup', '--yes'], { env });
  expect(done.stdout).toMatch(/config\.toml \(not changed\)/);
  expect(done.stdout).toMatch(/No channel works yet/);
  expect(done.code).toBe(5);
  const gone = await belfry(home, ['uninstall'], { env });
  expect(gone.stdout).toMatch(
    /Daemon stopped: no hooks are installed\.\nKept: your settings in .*, your event history in /,
  );
  expect(readFileSync(join(folder, 'config.toml'), 'utf8')).toBe('# mine\n');
  expect(existsSync(join(home, '.local', 'state', 'belfry', 'belfry.db'))).toBe(true);

  await belfry(home, ['secret', 'set', 'x'], { env, input: 'y' });
  const planned = await belfry(home, ['uninstall', '--purge', '--dry-run'], { env });
  expect(planned.stdout).toMatch(/Would delete .*config\.toml\n/);
  expect(existsSync(join(folder, 'config.toml'))).toBe(true);
  const purged = await belfry(home, ['uninstall', '--purge'], { env });
  expect(purged).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/Deleted .*config\.toml\n/) });
  expect(tree(home).filter((path) => !before.includes(path) && !/^\.(config|local)(\/state)?$/.test(path))).toEqual([]);
});

test.each([
  ['the daemon was started', ['start'], ''],
  ['a secret was stored', ['secret', 'set', 'x'], 'y'],
  ['a setting was changed', ['config', 'set', 'retention.days', '3'], ''],
  ['an agent was installed', ['install', 'claude'], ''],
  ['a test failed', ['test'], ''],
])('--purge leaves nothing where no more than this came before: %s', async (_what, args, input) => {
  const { home, env, before } = freshHome();
  await belfry(home, args, { env, input });
  expect(tree(home)).not.toEqual(before);
  expect(await belfry(home, ['uninstall', '--all', '--purge'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(tree(home)).toEqual(before);
});

test('an uninstallation where nothing is installed makes no folder', async () => {
  const home = temporaryFolder();
  const env = { HOME: home, BELFRY_HOME: undefined, PATH: '/usr/bin:/bin' };
  for (const args of [['uninstall'], ['uninstall', '--dry-run'], ['uninstall', 'claude'], ['uninstall', '--purge']]) {
    const ran = await belfry(home, args, { env });
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/[Nn]o hooks/) });
    expect(tree(home), args.join(' ')).toEqual([]);
  }
  const refused = await belfry(home, ['uninstall', 'claude', '--purge'], { env });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/--purge removes all of belfry/) });
});

test('once something was sent, the last uninstallation stops the daemon and keeps the journal', async () => {
  const { home, env } = freshHome();
  const state = join(home, '.local', 'state', 'belfry');
  await belfry(home, ['install', 'claude'], { env });
  await belfry(home, ['start'], { env });
  await hook(home, '{"session_id":"a","hook_event_name":"Stop","cwd":"/src"}', [], { env });
  await until(async () => (await belfry(home, ['events'], { env })).stdout !== '', 'the event to be kept');
  await belfry(home, ['uninstall', 'claude'], { env });
  expect((await belfry(home, ['status'], { env })).code).toBe(0); // named agents only: others may still need it
  const gone = await belfry(home, ['uninstall', '--all'], { env });
  expect([gone.code, gone.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Daemon stopped: no hooks are installed\.\nKept: your event history in .*belfry\. .*--purge.*\n$/m,
    ),
  ]);
  expect((await belfry(home, ['status'], { env })).code).toBe(7);
  expect(existsSync(join(state, 'belfry.db'))).toBe(true);
});

test('without a terminal it asks for --yes and does nothing', async () => {
  const { home, env, before } = freshHome();
  const refused = await run(process.execPath, [BELFRY, 'setup'], bareEnv(home, env));
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/use --yes/);
  expect(tree(home)).toEqual(before);
});

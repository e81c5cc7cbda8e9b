// Doctor where little is there, its exit codes, and its page. Deliberate breakages: test/torture/doctor.test.ts.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/cli/doctor/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Notified {
  readonly ok: boolean;
  readonly checks: readonly { name: string; results: readonly { level: string; text: string; fix?: string }[] }[];
}

test('nothing is there: every check answers, each problem has a fix', async () => {
  const home = temporaryFolder();
  const ran = await belfry(home, ['doctor', '--json'], { env: { PATH: '/usr/bin:/bin' } });
  expect(ran).toMatchObject({ code: 1, stderr: '' });
  const notified = JSON.parse(ran.stdout) as Notified;
  expect(notified.checks.map(({ name }) => name)).toEqual(CHECKS.map(({ name }) => name));
  for (const { results } of notified.checks)
    for (const { level, fix } of results) expect(fix === undefined).toBe(level === 'ok');
});

test('all checks pass, then one fails', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  mkdirSync(join(home, '.claude'));
  const config = `[channels.audit]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n[[routes]]\nto = ["audit"]\n`;
  writeFileSync(join(home, 'config.toml'), config);
  await belfry(home, ['install', 'claude']);
  const daemon = await startDaemon(home);
  const well = await belfry(home, ['doctor']);
  expect(well.stdout).toMatch(/All checks passed\.\n$/);
  expect(well).toMatchObject({ code: 0, stderr: '' });
  await daemon.stop();
  const ill = await belfry(home, ['doctor']);
  expect(ill.stdout).toMatch(
    /FAIL {2}daemon +no daemon is running, and hooks do not start it\n +fix: run `belfry start`.*\n[\s\S]*1 check failed\.\n$/,
  );
  expect(ill.code).toBe(1);
  expect(receiver.requests).toEqual([]);
});

test('the sample of docs/reference/doctor.md is what doctor prints', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  receiver.answer = () => 400;
  for (const folder of ['bin', '.claude', '.factory']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'bin', 'claude'), '#!/bin/sh\necho "2.1.0 (Claude Code)"\n');
  chmodSync(join(home, 'bin', 'claude'), 0o755);
  const channel = `[channels.team]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n`;
  writeFileSync(join(home, 'config.toml'), `${channel}[[routes]]\nto = ["team"]\n`);
  const options = { env: { PATH: `${home}/bin:${process.env['PATH']}` } };
  expect((await belfry(home, ['install', 'claude', 'droid'], options)).code).toBe(0);
  const settings = join(home, '.factory', 'settings.json');
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>;
  };
  for (const event of ['Stop', 'SessionEnd']) {
    const [entry] = hooks[event]?.[0].hooks ?? [];
    if (entry) entry.command = entry.command.replace('/dist', '/moved');
  }
  writeFileSync(settings, JSON.stringify({ hooks }));
  await startDaemon(home, options);
  await hook(
    home,
    JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: home }),
    ['--agent', 'claude'],
    options,
  );
  await until(async () => (await asked<unknown[]>(home, ['deliveries', '--failed'])).length === 1, 'it to be given up');
  await belfry(home, ['test', 'team'], options);

  const { stdout } = await belfry(home, ['doctor'], options);
  const printed = stdout
    .replace(`${home}/config.toml`, '/home/zoe/.config/belfry/config.toml')
    .replaceAll(home, '/home/zoe')
    .replace(/\(\d+ ms\)/, '(6 ms)')
    .replaceAll(/just now|\d+ (?:s|min) ago/g, '4 min ago');
  const page = readFileSync(new URL('../../docs/reference/doctor.md', import.meta.url), 'utf8');
  const [, sample = ''] = /```console\n\$ belfry doctor\n([\s\S]*?)```/.exec(page) ?? [];
  expect(sample).toContain('checks failed');
  let at = 0;
  for (const part of sample.split('...\n')) {
    expect(printed.slice(at)).toContain(part);
    at = printed.indexOf(part, at) + part.length;
  }
});

test.each<[string, string[], (text: string) => string]>([
  ['an event that this version adds', [], (text) => text.replace(/"SessionStart"/, '"Elsewhere"')],
  ['another limit of time', [], (text) => text.replace(/"timeout": \d+/, '"timeout": 3')],
  ['another limit of time, of few hooks', ['--minimal'], (text) => text.replace(/"timeout": \d+/, '"timeout": 3')],
])('hooks that `install` would change are no longer all right: %s', async (_name, options, change) => {
  const home = temporaryFolder();
  const file = join(home, '.claude', 'settings.json');
  mkdirSync(join(home, '.claude'));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'claude'), '#!/bin/sh\necho "2.1.197 (Claude Code)"\n');
  chmodSync(join(home, 'bin', 'claude'), 0o755);
  const env = { PATH: `${home}/bin:${process.env['PATH']}` };
  const line = async (): Promise<string> =>
    /^.*agents.*Claude[\s\S]*?(?=\n\S)/m.exec((await belfry(home, ['doctor'], { env })).stdout)?.[0] ?? '';
  await belfry(home, ['install', 'claude', ...options], { env });
  expect(await line()).toMatch(/^ok .*installed in/);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, change(text));
  expect(readFileSync(file, 'utf8')).not.toBe(text);
  expect(await line()).toMatch(/^note .*Claude: the hooks in .*settings\.json are not what this version installs\n/);
  const named = /run `belfry (.*?)`/.exec(await line())?.[1]?.split(' ') ?? [];
  expect(named.slice(0, 2)).toEqual(['install', 'claude']);
  await belfry(home, named, { env });
  expect(await line()).toMatch(/^ok .*installed in/);
});

test.each<[string, string, RegExp, RegExp]>([
  [
    'of another Node still work',
    '/gone/node',
    /outdated hooks/,
    /note +daemon +no daemon is running: the next hook starts it/,
  ],
  [
    'whose package is gone do not',
    '/gone/node /gone/dist',
    /the hooks for .* do nothing: their Node or their package is gone/,
    /FAIL +daemon +no daemon is running, and no hook can start one/,
  ],
])('hooks %s, and doctor says one thing', async (_name, words, agents, daemon) => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.factory'));
  const env = { BELFRY_NO_AUTOSTART: undefined };
  await belfry(home, ['install', 'droid']);
  const file = join(home, '.factory', 'settings.json');
  const [node, dist] = words.split(' ');
  const text = readFileSync(file, 'utf8').replace(
    /set -- (\S+) (\S+)/g,
    (_all, _node, own: string) => `set -- ${node} ${dist ?? own}`,
  );
  writeFileSync(file, dist === undefined ? text : text.replaceAll('belfry-fallback.sh', 'gone.sh'));
  const { stdout } = await belfry(home, ['doctor'], { env });
  expect(stdout).toMatch(agents);
  expect(stdout).toMatch(daemon);
});

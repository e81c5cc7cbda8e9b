// `belfry setup --yes` in a fresh home, with a real receiver; then everything is removed and nothing is left.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, BELFRY, hook, run } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

const settings = '{\n  "model": "opus" // mine\n}\n';

/** A home as its owner has it: an agent's settings, nothing of ours. */
function freshHome(): { home: string; env: Record<string, string | undefined>; before: string[] } {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), settings);
  // Nothing but HOME says where files go, as on a user's machine; no service manager, no agent on the PATH.
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(bin, 'systemctl'), 0o755);
  const env = { HOME: home, BELFRY_HOME: undefined, PATH: `${bin}:/usr/bin:/bin` };
  onTestFinished(() => belfry(home, ['stop'], { env }).then(() => undefined));
  return { home, env, before: tree(home) };
}

const tree = (home: string): string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();

test('from nothing to a notification, and back to nothing', async () => {
  const { home, env, before } = freshHome();
  const receiver = await startReceiver();
  const secret = `${receiver.url}/services/secret-path`;
  const done = await belfry(home, ['setup', '--yes'], { env: { ...env, SLACK_WEBHOOK_URL: secret } });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toMatch(/Told through slack\./);
  expect(done.stdout).toMatch(/You should see a test notification now/);
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/services/secret-path']);
  expect(done.stdout).not.toContain('secret-path');
  const config = readFileSync(join(home, '.config', 'belfry', 'config.toml'), 'utf8');
  expect(config).toContain('url = "env:SLACK_WEBHOOK_URL"');
  expect((await belfry(home, ['config', 'check'], { env })).code).toBe(0);
  expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toContain('belfry-hook');

  const again = await belfry(home, ['setup', '--yes', '--json'], { env: { ...env, SLACK_WEBHOOK_URL: secret } });
  expect(JSON.parse(again.stdout)).toMatchObject({
    config: { wrote: false },
    agents: [{ files: [{ action: 'unchanged' }] }],
  });

  expect((await belfry(home, ['uninstall'], { env })).code).toBe(0);
  expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toBe(settings);
  await belfry(home, ['service', 'uninstall'], { env });
  expect(tree(home)).toEqual(before);
});

test('settings of the user and the event history are kept', async () => {
  const { home, env } = freshHome();
  const folder = join(home, '.config', 'belfry');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), '# mine\n');
  const done = await belfry(home, ['setup', '--yes'], { env });
  expect(done.stdout).toMatch(/config\.toml stays as it is/);
  expect(done.stdout).toMatch(/Nobody could be told: mend the channel above/);
  expect(done.code).toBe(5);
  const gone = await belfry(home, ['uninstall'], { env });
  expect(gone.stdout).toMatch(/What belfry keeps for you stays in /);
  expect(readFileSync(join(folder, 'config.toml'), 'utf8')).toBe('# mine\n');
  expect(existsSync(join(home, '.local', 'state', 'belfry', 'belfry.db'))).toBe(true);
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
    expect.stringMatching(/^The daemon is stopped: .*\n.* stays in .*belfry\n$/m),
  ]);
  expect(gone.stdout).toContain(`What belfry keeps for you stays in ${state}\n`);
  expect((await belfry(home, ['status'], { env })).code).toBe(7);
  expect(existsSync(join(state, 'belfry.db'))).toBe(true);
});

test('without a terminal it asks for --yes and does nothing', async () => {
  const { home, env, before } = freshHome();
  const refused = await run(process.execPath, [BELFRY, 'setup'], bareEnv(home, env));
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/say --yes/);
  expect(tree(home)).toEqual(before);
});

// Doctor checks channels and service as the daemon has them: its environment is not that of the shell.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome } from '../support/fresh-home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Examined {
  readonly checks: readonly { name: string; results: readonly { level: string; text: string }[] }[];
}

async function doctor(home: string, env: Record<string, string | undefined> = {}): Promise<Record<string, string[]>> {
  const { stdout } = await belfry(home, ['doctor', '--json'], { env });
  const { checks } = JSON.parse(stdout) as Examined;
  return Object.fromEntries(checks.map(({ name, results }) => [name, results.map((f) => `${f.level} ${f.text}`)]));
}

test('a secret that only the daemon has is found; one that only the shell has is not', async () => {
  const receiver = await startReceiver();
  const service = await startReceiver();
  service.answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"computers":[]}' });
  const channel = (name: string): string =>
    `[channels.${name}]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\nsecret = "env:SECRET_${name.toUpperCase()}"\n`;
  const home = homeWith(
    `${channel('mine')}${channel('yours')}[api]\nbase_url = "${service.url}"\nkey = "env:SERVICE_KEY"\n`,
  );
  const yours = { SECRET_YOURS: 'only in the shell' };
  const alone = await doctor(home, { ...yours, SERVICE_KEY: 'k' });
  expect(alone['channels']).toContainEqual(expect.stringMatching(/^fail mine: secret: the variable SECRET_MINE/));
  expect(alone['channels']).toContainEqual(expect.stringMatching(/^warn checked from this shell/));
  expect(alone['service key']).toContain('ok the service accepts the key');

  const daemon = await startDaemon(home, { env: { SECRET_MINE: 'only in the daemon', SERVICE_KEY: 'k' } });
  const beside = await doctor(home, yours);
  expect(beside['channels']?.join('\n')).toMatch(
    /^ok mine: .*\nfail yours: secret: the variable SECRET_YOURS is not set/,
  );
  expect(beside['channels']?.join('\n')).not.toMatch(/fail mine|this shell/);
  expect(beside['service key']).toEqual(['ok the service accepts the key']);

  await daemon.stop();
  await startDaemon(home, { env: { SECRET_MINE: 'only in the daemon' } });
  const without = await doctor(home, { SERVICE_KEY: 'k' });
  expect(without['service key']).toEqual([
    expect.stringMatching(/^fail the key of the service cannot be found: .*SERVICE_KEY/),
  ]);
});

test('a secret that came into its file after the daemon looked is not taken for one it has', async () => {
  const receiver = await startReceiver();
  const folder = homeWith('');
  const file = join(folder, 'secret');
  const home = homeWith(
    `[channels.late]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\nsecret = "file:${file}"\n`,
  );
  await startDaemon(home);
  writeFileSync(file, 'a secret\n');
  chmodSync(file, 0o600);
  expect((await doctor(home))['channels']).toContainEqual(expect.stringMatching(/^fail late: secret: cannot read/));
  expect((await belfry(home, ['restart'])).code).toBe(0);
  expect((await doctor(home))['channels']?.join()).not.toMatch(/fail/);
  await belfry(home, ['stop']);
});

test('copies of the journal are shown while they are kept, and the daemon removes them in time', async () => {
  const home = homeWith('');
  const copy = (at: number): string =>
    join(home, 'state', `belfry.db.damaged-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`);
  const [fresh, old] = [copy(Date.now() - 3_600_000), copy(Date.now() - 8 * 86_400_000)];
  mkdirSync(join(home, 'state'), { recursive: true });
  for (const path of [fresh, old]) writeFileSync(path, 'x'.repeat(2_000_000));
  expect((await doctor(home))['kept files']).toEqual([
    expect.stringMatching(/^warn since .*: copy of the journal, 2 files, 4.0 MB/),
  ]);
  await startDaemon(home);
  await until(() => !existsSync(old), 'the old copy to be removed');
  expect((await doctor(home))['kept files']).toEqual([expect.stringMatching(/1 file, 2.0 MB/)]);
});

test('an empty hook input and a failed test are no faults to live with', async () => {
  const home = homeWith(`[channels.dead]\ntype = "webhook"\nurl = "http://127.0.0.1:9/x"\nallow_private = true\n`);
  await startDaemon(home);
  mkdirSync(join(home, 'quarantine'), { recursive: true });
  const head = (why: string): string => `${JSON.stringify({ why, at: '2026-06-01T12:00:00.000Z', bytes: 0 })}\n`;
  writeFileSync(join(home, 'quarantine', 'a.input'), head('it is empty'));
  expect((await doctor(home))['quarantine']).toEqual([expect.stringMatching(/^ok .*; empty hook inputs: 1/)]);
  writeFileSync(join(home, 'quarantine', 'b.input'), `${head('it is not JSON')}x`);
  expect((await doctor(home))['quarantine']).toEqual([expect.stringMatching(/^warn .*could not be read: 1/)]);
  expect((await belfry(home, ['test', 'dead'])).code).not.toBe(0);
  expect((await doctor(home))['journal']?.join()).not.toMatch(/given up/);
});

test('a channel whose deliveries do not arrive is no channel that works, with the daemon and without', async () => {
  const receiver = await startReceiver();
  const home = homeWith(
    `[channels.audit]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n[[routes]]\nto = ["audit"]\n`,
  );
  const daemon = await startDaemon(home);
  const ofChannels = async (): Promise<string[]> => (await doctor(home))['channels'] ?? [];
  const steps = [
    [400, /^fail audit: its last delivery was given up [^:]*: .*400/],
    [400, /^fail audit: its last 2 deliveries were given up, the latest .*: .*400/],
    [200, /^ok audit: /],
    [400, /^warn audit: its last delivery was given up [^:]*: .*400/],
  ] as const;
  for (const [status, expected] of steps) {
    receiver.answer = () => status;
    await belfry(home, ['test', 'audit']);
    expect((await ofChannels())[0]).toMatch(expected);
  }
  // Refused for good: it fails until somebody does something.
  receiver.answer = () => 401;
  await belfry(home, ['send', 'hello', '--urgency', 'urgent']);
  await receiver.waitFor(steps.length + 1);
  await until(async () => /^fail audit: deliveries fail: .*401/.test((await ofChannels())[0] ?? ''), 'it to fail');
  await daemon.stop();
  expect(await ofChannels()).toContainEqual(expect.stringMatching(/^fail audit: deliveries fail: .*401/));
});

test('sessions that are to go on by themselves, and cannot, are a fault; after a limit, what nothing could continue is none', async () => {
  const { home, env } = freshHome();
  const run = (...args: readonly string[]) => belfry(home, args, { env });
  expect((await run('install', 'claude')).code).toBe(0);
  const agents = async (): Promise<string> => (await doctor(home, env))['agents']?.join('\n') ?? '';
  const cannot = /^warn Claude: Belfry cannot continue its sessions, as \[resume\] says, because answering is not/m;
  expect(await agents()).not.toMatch(cannot);
  expect((await run('config', 'set', 'resume.on', '["limit"]')).code).toBe(0);
  expect(await agents()).not.toMatch(cannot);
  expect((await run('config', 'set', 'resume.on', '["limit", "network"]')).code).toBe(0);
  expect(await agents()).toMatch(cannot);
  expect((await run('install', 'claude', '--answer')).code).toBe(0);
  expect(await agents()).not.toMatch(cannot);
});

// A home of 0.1.0, killed with everything pending: retries, a Retry-After, a prompt, a finish that waits for work in the background, a mute,
// and two inputs that came while no daemon ran. Its build (bcb51ea1) wrote the fixture, by its own hooks and commands.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openEarlierHome } from '../support/earlier-home.ts';
import { temporaryFolder } from '../support/home.ts';
import { BELFRY, bareEnv, belfry, run, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

const FIXTURE = new URL('../fixtures/upgrade/home-0.1.0.json.br', import.meta.url);

async function upgraded() {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  openEarlierHome(FIXTURE, { home, programs: dirname(BELFRY), receiver: receiver.url, ago: 1_800_000 });
  const read = async (...args: string[]) => JSON.parse((await belfry(home, [...args, '--json'])).stdout) as never;
  /** What was posted, with its title. */
  const told = (path: string) =>
    receiver.requests.filter((one) => one.path === path).map((one) => /"(?:title|text)":"([^"]*)"/.exec(one.body)?.[1]);
  return { home, receiver, read, told };
}

const PENDING = [
  "api: Claude's session ended abnormally (other)",
  'api: Claude finished',
  'api: Claude finished, background work still runs',
  'api: Claude needs permission to run Bash',
];

test('what was pending comes once, and what came meanwhile; the prompt, the sessions and the mute are still there', async () => {
  const { home, receiver, read, told } = await upgraded();
  const daemon = await startDaemon(home);
  await until(() => told('/team').length >= 6 && told('/chat').length >= 1, 'what was pending');
  expect((await belfry(home, ['flush'])).code).toBe(0);
  expect(told('/team').sort()).toEqual(
    [...PENDING, 'api: Claude finished', 'Belfry was upgraded: what you are notified of has changed'].sort(),
  );
  expect(told('/chat')).toEqual([expect.stringContaining("api: Claude's session ended abnormally (other)")]);
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(6);
  expect(((await read('deliveries')) as { state: string }[]).map(({ state }) => state)).toEqual(Array(7).fill('sent'));

  const sessions: { session_id: string; state: string }[] = await read('sessions');
  expect(Object.fromEntries(sessions.map(({ session_id, state }) => [session_id, state]))).toEqual({
    finish: 'finished',
    asks: 'waiting',
    crashed: 'ended',
    waits: 'background',
    down: 'finished',
  });
  const open: { title: string }[] = await read('pending');
  expect(open.map(({ title }) => title).sort()).toEqual([...PENDING, 'api: Claude finished'].sort());
  expect((await belfry(home, ['mute', '--list'])).stdout).toContain('folder /srv/quiet');
  await daemon.stop();
});

test('a hook that 0.1.0 installed still tells, and what it wrote is replaced and taken out again', async () => {
  const { home, told } = await upgraded();
  const settings = join(home, '.claude', 'settings.json');
  const daemon = await startDaemon(home);
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
    hooks: { Stop: [{ hooks: [{ command: string }] }] };
  };
  const input = JSON.stringify({
    hook_event_name: 'Stop',
    session_id: 'new',
    cwd: home,
    last_assistant_message: 'Tests pass.',
  });
  const ran = await run('sh', ['-c', hooks.Stop[0].hooks[0].command], bareEnv(home), { input });
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
  await until(() => told('/team').filter((title) => title?.endsWith(': Claude finished')).length >= 3, 'the finish');

  expect((await belfry(home, ['doctor'])).stdout).toContain('fix: run `belfry install claude`');
  expect((await belfry(home, ['install', 'claude'])).code).toBe(0);
  expect((await belfry(home, ['doctor', '--json'])).stdout).not.toContain('belfry install claude`');
  expect((await belfry(home, ['uninstall', 'claude'])).code).toBe(0);
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ model: 'opus', permissions: { allow: [] } });
  await daemon.stop();
});

test('the database is copied once, as it was', async () => {
  const { home } = await upgraded();
  await (await startDaemon(home)).stop();
  expect(readdirSync(join(home, 'state')).filter((name) => name.startsWith('belfry.db.'))).toEqual([
    'belfry.db.schema-4',
  ]);
});

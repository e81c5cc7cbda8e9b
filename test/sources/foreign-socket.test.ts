// The place of the socket of a home too long for one lies below /tmp, where any user may be faster: what is not ours is neither asked nor believed.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sendCommand } from '../../src/ipc/client.ts';
import { readDaemonFile, runningDaemon } from '../../src/runtime/daemon-file.ts';
import type { Paths } from '../../src/runtime/paths.ts';
import { trustedSocket } from '../../src/runtime/trusted-socket.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { belfry, hook, HOOK, run, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const ROOT = process.getuid?.() === 0;
const FOREIGN = 12345;
const INPUT = JSON.stringify({ session_id: 's', hook_event_name: 'Stop' });

/** A home whose socket has to lie elsewhere. */
function longHome(): { home: string; paths: Paths } {
  const home = join(temporaryFolder(), 'x'.repeat(110));
  mkdirSync(home, { mode: 0o700 });
  const paths = pathsBelow(home);
  expect(dirname(paths.socket)).not.toBe(paths.run);
  onTestFinished(() => rmSync(dirname(paths.socket), { recursive: true, force: true }));
  return { home, paths };
}

/** Somebody who takes what he gets and says that it is kept. */
async function impostor(path: string): Promise<() => number> {
  let asked = 0;
  const server = createServer((socket) => {
    asked++;
    socket.on('error', () => undefined);
    socket.end('{"ok":true,"id":"x"}\n');
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return () => asked;
}

/** Puts the impostor into the place; what of it is another user's needs root to be made. */
const PLACES: readonly (readonly [string, boolean, (place: string) => Promise<() => number>])[] = [
  [
    'another user’s folder',
    true,
    async (place) => {
      mkdirSync(place, { mode: 0o755 });
      const asked = await impostor(join(place, 'belfry.sock'));
      chmodSync(join(place, 'belfry.sock'), 0o777);
      chownSync(join(place, 'belfry.sock'), FOREIGN, FOREIGN);
      chownSync(place, FOREIGN, FOREIGN);
      return asked;
    },
  ],
  [
    'a link to another folder',
    false,
    async (place) => {
      const other = temporaryFolder();
      symlinkSync(other, place);
      return impostor(join(other, 'belfry.sock'));
    },
  ],
  [
    'another user’s socket in our folder, left open to all',
    true,
    async (place) => {
      mkdirSync(place);
      chmodSync(place, 0o777);
      const asked = await impostor(join(place, 'belfry.sock'));
      chownSync(join(place, 'belfry.sock'), FOREIGN, FOREIGN);
      return asked;
    },
  ],
  [
    'a link to a socket in our folder, left open to all',
    false,
    async (place) => {
      mkdirSync(place);
      chmodSync(place, 0o777);
      const asked = await impostor(join(temporaryFolder(), 's'));
      symlinkSync(join(temporaryFolder(), 's'), join(place, 'belfry.sock'));
      return asked;
    },
  ],
];
const places = PLACES.filter(([, root]) => ROOT || !root);

test.each(places)('%s: nobody asks it, the event is kept, and a daemon works beside it', async (_name, _root, take) => {
  const { home, paths } = longHome();
  const asked = await take(dirname(paths.socket));
  expect((await hook(home, INPUT)).code).toBe(0);
  expect(readdirSync(paths.spool)).toHaveLength(1);
  expect(await sendCommand(paths, 'status')).toEqual({ state: 'not-running' });
  const daemon = await startDaemon(home);
  const socket = trustedSocket(paths);
  expect(readDaemonFile(paths)?.socket).toBe(socket);
  expect(statSync(dirname(socket ?? '')).mode & 0o777).toBe(0o700);
  expect((await hook(home, INPUT, [], { env: { BELFRY_DEBUG: '1' } })).code).toBe(0);
  await until(async () => {
    const { stdout } = await belfry(home, ['events', '--kind', 'agent.finished', '--json']);
    return stdout !== '' && (JSON.parse(stdout) as unknown[]).length === 2;
  }, 'both events');
  expect(JSON.parse((await belfry(home, ['status', '--json'])).stdout)).toMatchObject({ running: true });
  expect(asked()).toBe(0);
  await daemon.stop();
  if (socket !== paths.socket) expect(existsSync(dirname(socket ?? ''))).toBe(false);
});

test.skipIf(!ROOT)('a sign of life that is another user’s is none for the shell hook', async () => {
  const home = temporaryFolder();
  const paths = pathsBelow(home);
  for (const folder of [paths.run, paths.spool]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(paths.run, 'alive'), `${process.pid} ${'node'}\n`);
  chownSync(join(paths.run, 'alive'), FOREIGN, FOREIGN);
  const script = join(dirname(HOOK), 'belfry-hook.sh');
  const text = `set -- ${process.execPath} ${dirname(HOOK)}; . ${script}; exit 0`;
  const env = { PATH: process.env['PATH'], HOME: home, BELFRY_HOME: home, BELFRY_NO_AUTOSTART: '1' };
  await run('/bin/sh', ['-c', text], env, { input: INPUT });
  // The Node hook has written it, to be found by whoever comes.
  expect(readdirSync(paths.spool)).toEqual([expect.stringMatching(/\.event$/)]);
});

test.skipIf(!ROOT)(
  'without a home, nothing is put into a folder below the temporary one that is another user’s',
  async () => {
    const tmp = temporaryFolder();
    chmodSync(tmp, 0o1777);
    const taken = join(tmp, 'belfry-54321');
    mkdirSync(taken);
    chmodSync(taken, 0o777);
    chownSync(taken, FOREIGN, FOREIGN);
    // A user with neither HOME nor an entry in the password file.
    const become = ['--reuid', '54321', '--regid', '54321', '--clear-groups', process.execPath];
    const env = { PATH: process.env['PATH'], TMPDIR: tmp, BELFRY_NO_AUTOSTART: '1' };
    const ended = await run('setpriv', [...become, HOOK], env, { input: INPUT });
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, '', '']);
    expect(readdirSync(taken)).toEqual([]);
    rmSync(taken, { recursive: true });
    await run('setpriv', [...become, HOOK], env, { input: INPUT });
    expect(readdirSync(join(taken, '.local', 'state', 'belfry', 'spool'))).toHaveLength(1);
  },
);

test('what is ours is asked as before, also where others could look in until now', async () => {
  const { home, paths } = longHome();
  const daemon = await startDaemon(home);
  chmodSync(dirname(paths.socket), 0o755);
  expect(trustedSocket(paths)).toBe(paths.socket);
  expect(statSync(dirname(paths.socket)).mode & 0o777).toBe(0o700);
  expect(runningDaemon(paths)?.socket).toBe(paths.socket);
  await daemon.stop();
  expect(trustedSocket(paths)).toBeNull();
});

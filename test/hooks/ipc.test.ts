// What hook and daemon share: ids, origin, envelopes, locks, the daemon's announcement.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  aliveFile,
  announceDaemon,
  readDaemonFile,
  runningDaemon,
  withdrawDaemon,
} from '../../src/runtime/daemon-file.ts';
import { decodeEnvelope, encodeEnvelope } from '../../src/ipc/envelope.ts';
import { newId } from '../../src/ipc/id.ts';
import { acquireLock, holderAlive, readLock, releaseLock } from '../../src/runtime/lock.ts';
import { selectVariables } from '../../src/ipc/hook-origin.ts';
import { resolvePaths } from '../../src/runtime/paths.ts';
import { ancestorsFrom, isAlive, startTime, terminalOf } from '../../src/runtime/process-table.ts';
import { ancestryOf } from '../../src/sources/hook-ancestors.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { HOOK } from '../support/programs.ts';

test('the hook bundle is small and stands alone', () => {
  const text = readFileSync(HOOK, 'utf8');
  expect(statSync(HOOK).size).toBeLessThanOrEqual(12_288);
  const required = [...text.matchAll(/(?:require|getBuiltinModule)\("([^"]+)"\)/g)].map(([, name]) => name);
  expect(required.length).toBeGreaterThan(2);
  expect(required.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});

test('ids are unique, sorted by time and can be made again', () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => newId(1_700_000_000_000 + i));
  expect(new Set(ids).size).toBe(5_000);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 5_000 }, () => newId(5))).size).toBe(5_000);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newId(7, 'ab'.repeat(32))).toBe(newId(7, 'ab'.repeat(32)));
});

test('an envelope survives its encoding, any bytes', () => {
  const raw = Buffer.from([0, 10, 13, 255, 123, 10]);
  const origin = { pid: 1, ppid: 2, env: { TERM: 'x' }, cwd: '/ü' };
  const envelope = { id: 'abcdefgh', agent: 'x', startedAt: 1, receivedAt: 2, cut: 'time', origin, raw } as const;
  expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
});

test.each<[string, string, boolean]>([
  ['TERM_PROGRAM', 'iTerm.app', true],
  ['SSH_CONNECTION', '1.2.3.4 5 6.7.8.9 22', true],
  ['WSL_DISTRO_NAME', 'Debian', true],
  ['ANYTHING_PROJECT_DIR', '/p', true],
  ['SOME_CODE_SESSION_ID', 'abc', true],
  ['SOME_CODE_ENTRYPOINT', 'cli', true],
  ['SOMECODE', '1', true],
  ['SOMECODE_PID', '77', true],
  ['SOMECODE', 'hunter2', false],
  ['SOMECODE_PID', 'hunter2', false],
  ['AUTH_CODE', '123456', false],
  ['SOME_CLI', 'token', false],
  ['AWS_SESSION_TOKEN', 'x', false],
  ['BELFRY_API_KEY', 'x', false],
  ['PATH', '/bin', false],
  ['SECRET_PROJECT_DIRECTORY', 'x', false],
])('variable %s=%s is handed over: %s', (name, value, taken) => {
  expect(selectVariables({ [name]: value })).toEqual(taken ? { [name]: value } : {});
});

test.each<[string, NodeJS.Platform, Record<string, string>, string, string]>([
  ['one folder', 'linux', { BELFRY_HOME: '/b' }, '/b/spool', '/b/run/belfry.sock'],
  ['XDG defaults', 'linux', {}, '/h/.local/state/belfry/spool', '/h/.local/state/belfry/run/belfry.sock'],
  ['XDG', 'linux', { XDG_STATE_HOME: '/s' }, '/s/belfry/spool', '/s/belfry/run/belfry.sock'],
  [
    'relative XDG',
    'linux',
    { XDG_STATE_HOME: 's' },
    '/h/.local/state/belfry/spool',
    '/h/.local/state/belfry/run/belfry.sock',
  ],
  [
    'Library',
    'darwin',
    {},
    '/h/Library/Application Support/belfry/spool',
    '/h/Library/Application Support/belfry/run/belfry.sock',
  ],
])('paths: %s', (_name, platform, env, spool, socket) => {
  const paths = resolvePaths({ platform, env, home: '/h', tmp: '/tmp', uid: 7 });
  expect([paths.spool, paths.socket]).toEqual([spool, socket]);
});

test('paths: a named pipe on Windows, a short socket for a long home', () => {
  const windows = resolvePaths({
    platform: 'win32',
    env: { LOCALAPPDATA: 'C:\\Users\\ü\\AppData\\Local' },
    home: 'C:\\Users\\ü',
    tmp: 'C:\\T',
    uid: undefined,
  });
  expect(windows.socket).toMatch(/^\\\\\.\\pipe\\belfry-[0-9a-f]{16}$/);
  expect(windows.spool).toBe('C:\\Users\\ü\\AppData\\Local\\belfry\\spool');
  const long = resolvePaths({
    platform: 'linux',
    env: { BELFRY_HOME: `/${'x'.repeat(100)}` },
    home: '/h',
    tmp: '/t',
    uid: 7,
  });
  expect(long.socket).toMatch(/^\/tmp\/belfry-7-[0-9a-f]{16}\/belfry\.sock$/);
});

test('a process is known by its pid and start time', () => {
  expect(isAlive(process.pid, startTime(process.pid))).toBe(true);
  expect(isAlive(spawnSync('true').pid, null)).toBe(false);
  for (const pid of [0, -1, 1.5, Number.NaN]) expect(isAlive(pid, null)).toBe(false);
  if (process.platform !== 'linux') return; // elsewhere neither start times nor ancestors are cheap
  expect(isAlive(process.pid, '1')).toBe(false);
  expect(ancestorsFrom(process.pid)[0]?.pid).toBe(process.pid);
});

test.runIf(process.platform === 'linux')('one walk finds the same ancestors and terminal as two', () => {
  const apart = { ancestors: ancestorsFrom(process.pid), tty: terminalOf(process.pid) };
  expect(apart.ancestors.length).toBeGreaterThan(0);
  expect(ancestryOf(process.pid)).toEqual(apart);
  expect(ancestryOf(spawnSync('true').pid)).toEqual({ ancestors: [], tty: null });
});

test('the daemon announces itself and takes only its own announcement back', () => {
  const paths = pathsBelow(temporaryFolder());
  mkdirSync(paths.run, { mode: 0o700 });
  const title = process.title;
  onTestFinished(() => {
    process.title = title;
  });
  const info = { pid: process.pid, start: startTime(process.pid), version: '1', socket: paths.socket, startedAt: 5 };
  announceDaemon(paths, info);
  const announced = { ...info, file: paths.daemonFile };
  expect(runningDaemon(paths)).toEqual(announced);
  expect(readFileSync(aliveFile(paths), 'utf8')).toMatch(new RegExp(`^${process.pid} .*\n${paths.run}\n$`));
  expect([paths.daemonFile, aliveFile(paths)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  withdrawDaemon(paths, 1);
  expect(readDaemonFile(paths)).toEqual(announced);
  withdrawDaemon(paths, process.pid);
  expect([paths.daemonFile, aliveFile(paths)].map((path) => existsSync(path))).toEqual([false, false]);
});

test.each(['', '{', 'null', '[]', '{"pid":"7"}'])('a daemon file of %j is nobody', (text) => {
  const paths = pathsBelow(temporaryFolder());
  mkdirSync(paths.run);
  writeFileSync(paths.daemonFile, text);
  expect(runningDaemon(paths)).toBeNull();
});

test('a lock is held by the living, taken over from the dead and the unreadable', () => {
  const lock = join(temporaryFolder(), 'lock');
  const living = spawn('sleep', ['60']);
  onTestFinished(() => void living.kill('SIGKILL'));
  const hold = (text: string): void => writeFileSync(lock, text);
  hold(JSON.stringify({ pid: living.pid, start: null, at: 1 }));
  expect(acquireLock(lock, holderAlive)).toBe(false);
  for (const text of [JSON.stringify({ pid: spawnSync('true').pid, start: null, at: 1 }), '', 'rubbish']) {
    hold(text);
    expect(acquireLock(lock, holderAlive)).toBe(true);
    expect(readLock(lock)?.pid).toBe(process.pid);
  }
  releaseLock(lock);
  expect(existsSync(lock)).toBe(false);
});

test('of many that find a dead holder one gets the lock', async () => {
  const lock = join(temporaryFolder(), 'lock');
  const source = new URL('../../src/runtime/lock.ts', import.meta.url).pathname;
  const script = `import { acquireLock, holderAlive } from ${JSON.stringify(source)};
    const at = Number(process.argv[1]); while (Date.now() < at);
    console.log(acquireLock(${JSON.stringify(lock)}, holderAlive)); setTimeout(() => undefined, 60_000);`;
  writeFileSync(lock, JSON.stringify({ pid: spawnSync('true').pid, start: null, at: 1 }));
  const tsx = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
  const at = String(Date.now() + 1_500);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', script, at]);
      onTestFinished(() => void child.kill('SIGKILL'));
      return new Promise<string>((resolve) =>
        child.stdout.on('data', (chunk: Buffer) => resolve(String(chunk).trim())),
      );
    }),
  );
  expect(answers.filter((answer) => answer === 'true')).toHaveLength(1);
});

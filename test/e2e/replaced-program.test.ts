// The package is upgraded, downgraded or removed while the daemon runs: the next event or command brings the program that lies there, and nothing is lost.
import { spawn } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type DaemonInfo, runningDaemon } from '../../src/runtime/daemon-file.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { type PackageCopy, packageCopy, stampBuild } from '../support/package-copy.ts';
import { bareEnv, run } from '../support/programs.ts';
import { until } from '../support/wait.ts';

interface World {
  readonly home: string;
  readonly installed: PackageCopy;
  readonly info: () => DaemonInfo | null;
  readonly send: (session: string) => Promise<void>;
  readonly belfry: (...args: string[]) => Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Sessions whose event is in the journal. */
  readonly kept: () => Promise<string[]>;
}

function world(version: string, builtAt?: number, home = temporaryFolder()): World {
  const paths = pathsBelow(home);
  const installed = packageCopy(version, builtAt);
  const info = (): DaemonInfo | null => runningDaemon(paths);
  onTestFinished(async () => {
    for (let left = info(); left; left = info()) {
      process.kill(left.pid, 'SIGKILL');
      await until(() => !isAlive(left?.pid ?? 0, left?.start ?? null), 'its end');
    }
  });
  const belfry = (...args: string[]) => run(process.execPath, [installed.belfry, ...args], bareEnv(home));
  return {
    home,
    installed,
    info,
    belfry,
    send: async (session) => {
      const input = JSON.stringify({ session_id: session, hook_event_name: 'Stop' });
      const ended = await run(process.execPath, [installed.hook], bareEnv(home), { input });
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, '', '']);
    },
    kept: async () => {
      const { stdout } = await belfry('events', '--kind', 'agent.finished', '--json');
      if (stdout === '') return [];
      return (JSON.parse(stdout) as { session_id: string }[]).map((event) => event.session_id).sort();
    },
  };
}

const ready = (w: World, version: string): Promise<DaemonInfo> =>
  until(() => {
    const info = w.info();
    return info?.version === version && info;
  }, `a daemon of ${version}`);

test.each([
  ['upgraded', '0.0.8', '0.0.9'],
  ['downgraded', '0.0.9', '0.0.8'],
])('%s in place: the next hook brings the other version, with its event', async (_name, before, after) => {
  const w = world(before);
  await w.belfry('start');
  const old = await ready(w, before);
  w.installed.install(after);
  await Promise.all([w.send('a'), w.send('b'), w.send('c')]);
  const next = await ready(w, after);
  expect(isAlive(old.pid, old.start)).toBe(false);
  await w.send('d');
  await until(async () => (await w.kept()).join() === 'a,b,c,d', 'all events');
  expect(w.info()?.pid).toBe(next.pid);
});

test('the next command brings it too, and is answered by it', async () => {
  const w = world('0.0.8');
  await w.belfry('start');
  await ready(w, '0.0.8');
  w.installed.install('0.0.9');
  expect(JSON.parse((await w.belfry('status', '--json')).stdout)).toMatchObject({ running: true, version: '0.0.9' });
});

test('half installed, the old one stays until all is there; removed or only touched, it stays', async () => {
  const w = world('0.0.8');
  await w.belfry('start');
  const old = await ready(w, '0.0.8');
  utimesSync(w.installed.daemon, 5, 5);
  await w.send('touched');
  const log = (): string => readFileSync(join(w.home, 'state', 'daemon.log'), 'utf8');
  await w.installed.installSlowly('0.0.9', async () => {
    await w.send('half');
    await until(() => log().includes('does not run yet'), 'the look at the half');
    expect(w.info()?.pid).toBe(old.pid);
  });
  const next = await ready(w, '0.0.9'); // nothing has to come for it
  const hook = readFileSync(w.installed.hook);
  w.installed.remove();
  const elsewhere = join(temporaryFolder(), 'hook.cjs');
  writeFileSync(elsewhere, hook);
  await run(process.execPath, [elsewhere], bareEnv(w.home), {
    input: '{"session_id":"gone","hook_event_name":"Stop"}',
  });
  expect(w.info()?.pid).toBe(next.pid);
});

test('in the foreground the process stays and runs the other version, and again', async () => {
  const w = world('0.0.7');
  const child = spawn(process.execPath, [w.installed.belfry, 'daemon'], { env: bareEnv(w.home), stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  expect((await ready(w, '0.0.7')).pid).toBe(child.pid);
  for (const version of ['0.0.8', '0.0.9']) {
    w.installed.install(version);
    await w.send(version);
    await ready(w, version);
    expect(child.exitCode).toBeNull();
  }
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(w.info()).toBeNull();
  expect(await w.kept()).toEqual(['0.0.8', '0.0.9']);
});

test('below systemd it ends, to be started again, and no hook starts another meanwhile', async () => {
  const w = world('0.0.8');
  const service = (): ReturnType<typeof spawn> => {
    const text = `SYSTEMD_EXEC_PID=$$ exec '${process.execPath}' '${w.installed.belfry}' daemon`;
    const child = spawn('/bin/sh', ['-c', text], { env: bareEnv(w.home), stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const child = service();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await ready(w, '0.0.8');
  w.installed.install('0.0.9');
  await w.send('a');
  expect(await ended).toBe(75);
  const env = bareEnv(w.home, { BELFRY_NO_AUTOSTART: undefined, BELFRY_DEBUG: '1' });
  const input = '{"session_id":"b","hook_event_name":"Stop"}';
  await run(process.execPath, [w.installed.hook], env, { input });
  expect(readFileSync(join(w.home, 'state', 'hook.log'), 'utf8')).toMatch(/daemon: starting/);
  const next = service();
  expect((await ready(w, '0.0.9')).pid).toBe(next.pid);
  await until(async () => (await w.kept()).join() === 'a,b', 'both events');
});

const EARLIER = Date.UTC(2026, 0, 1);
const LATER = Date.UTC(2026, 0, 2);

test('another build of the same version in place: the next command is answered by it', async () => {
  const w = world('0.1.0', EARLIER);
  await w.belfry('start');
  const old = await ready(w, '0.1.0');
  expect(old.build).toEqual({ id: `build-${EARLIER}`, at: EARLIER });
  stampBuild(w.installed.folder, LATER);
  await w.belfry('status');
  const next = w.info();
  expect(next?.pid).not.toBe(old.pid);
  expect(next?.build).toEqual({ id: `build-${LATER}`, at: LATER });
});

test.each<[string, string, number, string, number]>([
  ['version', '0.0.8', LATER, '0.0.9', EARLIER],
  ['build of the same version', '0.1.0', EARLIER, '0.1.0', LATER],
])('installed elsewhere, a newer %s takes over, and the older one does not take it back', async (_name, ...builds) => {
  const [oldVersion, oldAt, newVersion, newAt] = builds;
  const older = world(oldVersion, oldAt);
  await older.belfry('start');
  const first = await ready(older, oldVersion);
  const newer = world(newVersion, newAt, older.home);
  expect((await newer.belfry('status')).code).toBe(0);
  const second = newer.info();
  expect(second).toMatchObject({ program: newer.installed.daemon, version: newVersion });
  expect(isAlive(first.pid, first.start)).toBe(false);
  for (const command of [['status'], ['start'], ['mute', '--list'], ['doctor']]) await older.belfry(...command);
  expect(newer.info()?.pid).toBe(second?.pid);
  expect((await older.belfry('doctor')).stdout).toMatch(/note +daemon +the daemon is of a newer build/);
});

test('a daemon that somebody keeps in a terminal stays, and doctor says how to replace it', async () => {
  const older = world('0.1.0', EARLIER);
  const child = spawn(process.execPath, [older.installed.belfry, 'daemon'], {
    env: bareEnv(older.home),
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await ready(older, '0.1.0');
  const newer = world('0.1.0', LATER, older.home);
  await newer.belfry('status');
  expect(newer.info()?.pid).toBe(child.pid);
  expect((await newer.belfry('doctor')).stdout).toMatch(
    /FAIL +daemon +the daemon is of another build .*\n +fix: end it in its terminal, then run `belfry start`/,
  );
});

// Real buses with mocks of the desktop's services: a locked screen by logind, the time without input by KDE and GNOME, "do not disturb" by KDE.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import type { Presence } from '../../src/model/presence/presence.ts';
import { createDetection, createDoNotDisturb, DETECTORS } from '../../src/presence/index.ts';
import { until } from '../support/wait.ts';

/** Debian's, which has the module. */
const PYTHON = '/usr/bin/python3';
const LOGIN = 'org.freedesktop.login1';
const SESSION = '/org/freedesktop/login1/session/auto';
const SAVER = 'org.freedesktop.ScreenSaver';
const MUTTER = 'org.gnome.Mutter.IdleMonitor';
const NOTIFICATIONS = 'org.freedesktop.Notifications';

let folder = '';
let env: Record<string, string> = {};
const owned: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'buses-'));
  const address = `unix:path=${join(folder, 'bus')}`;
  // One bus is both, so that nothing of this machine's own is asked.
  env = { PATH: '/usr/bin:/bin', DBUS_SESSION_BUS_ADDRESS: address, DBUS_SYSTEM_BUS_ADDRESS: address };
  start('dbus-daemon', '--session', '--nofork', `--address=${address}`);
  await until(() => answers('org.freedesktop.DBus'), 'the bus', 30_000);
});

afterEach(() => {
  for (const child of owned.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(program: string, ...args: readonly string[]): number {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  owned.push(child);
  return child.pid ?? 0;
}

const busctl = (...args: readonly string[]): string =>
  execFileSync('busctl', ['--user', ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function answers(name: string): boolean {
  try {
    return busctl('status', name).length > 0;
  } catch {
    return false; // not there yet
  }
}

/** A service with one object of one interface, and a word to its mock. */
async function mock(name: string, path: string, of: string) {
  start(PYTHON, '-m', 'dbusmock', name, path, of);
  await until(() => answers(name), name, 60_000);
  return (member: string, ...args: readonly string[]) =>
    busctl('call', name, path, 'org.freedesktop.DBus.Mock', member, ...args);
}

/** What is found at a process on this desktop; again until it is as expected. */
async function finds(desktop: string, expected: Partial<Presence>): Promise<void> {
  env = { ...env, XDG_CURRENT_DESKTOP: desktop };
  const pid = start('sleep', '600');
  await until(
    async () => {
      const detect = createDetection(DETECTORS, {
        platform: 'linux',
        env,
        now: Date.now,
        steady: () => performance.now(),
      });
      const found = await detect({ place: UNKNOWN_PLACE, pid, looking: true, idle: 180_000, only: 'idle' });
      return Object.entries(expected).every(([key, value]) => found[key as keyof Presence] === value);
    },
    JSON.stringify(expected),
    30_000,
  );
}

const NOTHING = { looking: 'unknown', idle: 'unknown', evidence: 'nothing shows that you are there' } as const;

test('logind: a locked screen, until it is unlocked', async () => {
  const login = await mock(LOGIN, SESSION, `${LOGIN}.Session`);
  const set = (name: string, value: boolean) =>
    login('UpdateProperties', 'sa{sv}', `${LOGIN}.Session`, '1', name, 'b', String(value));
  login('AddProperty', 'ssv', `${LOGIN}.Session`, 'LockedHint', 'b', 'true');
  login('AddProperty', 'ssv', `${LOGIN}.Session`, 'IdleHint', 'b', 'false');
  await finds('sway', { looking: 'no', idle: 'yes', evidence: 'the screen is locked' });
  set('LockedHint', false);
  await finds('sway', NOTHING);
  set('IdleHint', true);
  await finds('sway', { idle: 'yes', evidence: 'the session counts as idle' });
  set('IdleHint', false);
  await finds('sway', NOTHING);
});

test('logind: the session of the terminal, not that of the daemon', async () => {
  const login = await mock(LOGIN, '/org/freedesktop/login1/session/_32', `${LOGIN}.Session`);
  for (const [name, value] of [
    ['LockedHint', 'false'],
    ['IdleHint', 'false'],
    ['Active', 'false'],
  ] as const)
    login('AddProperty', 'ssv', `${LOGIN}.Session`, name, 'b', value);
  env = { ...env, XDG_SESSION_ID: '2' };
  await finds('XFCE', { looking: 'no', idle: 'yes', evidence: 'another session has the screen' });
  login('UpdateProperties', 'sa{sv}', `${LOGIN}.Session`, '1', 'Active', 'b', 'true');
  await finds('XFCE', NOTHING);
});

test('MATE: its own screen saver', async () => {
  const name = 'org.mate.ScreenSaver';
  const saver = await mock(name, '/org/mate/ScreenSaver', name);
  saver('AddMethod', 'sssss', name, 'GetActive', '', 'b', 'ret = True');
  await finds('MATE', { looking: 'no', idle: 'yes', evidence: 'the screen is locked' });
  saver('AddMethod', 'sssss', name, 'GetActive', '', 'b', 'ret = False');
  await finds('MATE', NOTHING);
});

test.each([
  ['KDE', SAVER, '/org/freedesktop/ScreenSaver', SAVER, 'GetSessionIdleTime', 'u'],
  ['GNOME', MUTTER, '/org/gnome/Mutter/IdleMonitor/Core', MUTTER, 'GetIdletime', 't'],
])('%s: the time without input', async (desktop, name, path, of, method, type) => {
  const service = await mock(name, path, of);
  service('AddMethod', 'sssss', of, method, '', type, 'ret = 4851');
  await finds(desktop, { idle: 'no', evidence: 'input 4 s ago' });
  service('AddMethod', 'sssss', of, method, '', type, 'ret = 600000');
  await finds(desktop, { idle: 'yes', looking: 'unknown', evidence: 'no input for 10 min' });
});

test('KDE: do not disturb', async () => {
  const server = await mock(NOTIFICATIONS, '/org/freedesktop/Notifications', NOTIFICATIONS);
  const isOn = (): Promise<boolean> =>
    createDoNotDisturb({
      platform: 'linux',
      home: folder,
      now: Date.now,
      env: { ...env, XDG_CURRENT_DESKTOP: 'KDE' },
    })();
  expect(await isOn()).toBe(false); // as of a server that does not say
  server('AddProperty', 'ssv', NOTIFICATIONS, 'Inhibited', 'b', 'true');
  await until(isOn, 'do not disturb', 30_000);
});

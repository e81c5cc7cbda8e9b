// Programs that lock the screen and tell nobody: they are found by their processes, of this person's display.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { createDetection, DETECTORS } from '../../src/presence/index.ts';
import { isSaved, sharesScreen } from '../../src/presence/screen-lockers.ts';
import { until } from '../support/wait.ts';

let folder = '';
const owned: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockers-'));
});
afterEach(async () => {
  // Until they are gone: the next case looks for the same programs.
  const ends = owned.splice(0).map((child) => {
    const end = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill('SIGKILL');
    return end;
  });
  await Promise.all(ends);
  rmSync(folder, { recursive: true, force: true });
});

type Env = Readonly<Record<string, string>>;

/** A process of this name that goes on. */
function start(name: string, env: Env): number {
  const file = join(folder, name);
  copyFileSync('/bin/sleep', file);
  const child = spawn(file, ['600'], { env: { PATH: '/usr/bin:/bin', ...env }, stdio: 'ignore' });
  owned.push(child);
  return child.pid ?? 0;
}

/** Displays that nobody else has, another run of these tests neither. */
const HERE: Env = { DISPLAY: `:${process.pid}` };
const WAYLAND: Env = { ...HERE, WAYLAND_DISPLAY: `wayland-${process.pid}` };

test.runIf(process.platform === 'linux').each<[name: string, agent: Env, locker: Env, locked: boolean]>([
  ...['i3lock', 'slock', 'xsecurelock', 'xtrlock', 'physlock'].map((name): [string, Env, Env, boolean] => [
    name,
    HERE,
    HERE,
    true,
  ]),
  ...['swaylock', 'gtklock', 'hyprlock', 'waylock'].map((name): [string, Env, Env, boolean] => [
    name,
    WAYLAND,
    WAYLAND,
    true,
  ]),
  ['kscreenlocker_greet', WAYLAND, WAYLAND, true],
  ['i3lock', HERE, { DISPLAY: `:${process.pid}.0` }, true],
  ['i3lock', HERE, { DISPLAY: `:${process.pid}1` }, false],
  ['swaylock', WAYLAND, { WAYLAND_DISPLAY: `wayland-${process.pid}1` }, false],
  ['i3lock', { ...HERE, SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }, HERE, false],
  ['xautolock', HERE, HERE, false], // runs all the time
  ['light-locker', HERE, HERE, false],
  ['vlock-main', HERE, HERE, true],
])('%s: %j, %j: %s', async (name, agent, locker, locked) => {
  const pid = start('agent', agent);
  start(name, locker);
  const detect = createDetection(DETECTORS, {
    platform: 'linux' as const,
    env: { PATH: '/nowhere' },
    now: Date.now,
    steady: () => performance.now(),
  });
  const ask = () => detect({ place: UNKNOWN_PLACE, pid, looking: true, idle: 180_000, only: 'away' });
  const evidence = `${name.slice(0, 15)} has locked the screen`;
  if (locked) await until(async () => (await ask()).evidence === evidence, evidence, 30_000);
  else expect((await ask()).evidence).not.toContain('locked');
});

test('what xscreensaver says', () => {
  expect(
    [
      'XScreenSaver 6.06: screen locked since Mon Nov 23 18:00:00 2026',
      'XScreenSaver 6.06: screen blanked since Mon Nov 23 18:00:00 2026 (hack #3)',
      'XScreenSaver 6.06: screen non-blanked since Mon Nov 23 18:00:00 2026',
      null,
    ].map(isSaved),
  ).toEqual([true, true, false, false]);
});

test.each([
  ['a locker whose environment cannot be read', null, HERE, true],
  ['one that names no display, as on a console', {}, HERE, true],
  ['a viewer whose environment cannot be read', HERE, {}, true],
  ['a viewer in a terminal without a display', HERE, { TERM: 'linux' }, false],
  ['an X program within Wayland', HERE, WAYLAND, false],
])('%s', (_what, locker, viewer, expected) => expect(sharesScreen(locker, viewer)).toBe(expected));

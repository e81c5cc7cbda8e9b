// Real lockers on a real X server and on sway: locked while they have locked it, and neither before nor after.
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { createDetection, DETECTORS } from '../../src/presence/index.ts';
import { startSway } from '../support/sway-desktop.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

/** Without the answers of a second ago. */
async function evidenceAt(pid: number): Promise<string> {
  const detect = createDetection(DETECTORS, {
    platform: 'linux',
    env: { PATH: process.env['PATH'] },
    now: Date.now,
    steady: () => performance.now(),
  });
  return (await detect({ place: UNKNOWN_PLACE, pid, looking: true, idle: 180_000, only: 'away' })).evidence;
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const isLocked = (pid: number, by: string) =>
  until(async () => (await evidenceAt(pid)) === `${by} has locked the screen`, `${by} to lock it`, 60_000);
const isOpen = async (pid: number) =>
  until(async () => !(await evidenceAt(pid)).includes('locked'), 'it to be open', 60_000);

test('i3lock', async () => {
  const screen = await startVirtualDesktop({ server: false });
  onTestFinished(screen.close);
  const agent = start('sleep', ['600'], screen.env).pid ?? 0;
  await isOpen(agent);
  const locker = start('i3lock', ['--nofork'], screen.env);
  await isLocked(agent, 'i3lock');
  locker.kill('SIGKILL');
  await isOpen(agent);
});

test('xscreensaver runs all the time, and says when it locks', async () => {
  const screen = await startVirtualDesktop({ server: false });
  onTestFinished(screen.close);
  const agent = start('sleep', ['600'], screen.env).pid ?? 0;
  const saver = start('xscreensaver', ['--no-splash'], { ...screen.env, HOME: '/nonexistent' });
  const command = (word: string) => start('xscreensaver-command', [word], screen.env);
  await until(
    async () => {
      const asked = command('-time');
      return (await new Promise((resolve) => asked.once('exit', resolve))) === 0;
    },
    'xscreensaver',
    60_000,
  );
  await isOpen(agent);
  command('-activate');
  await isLocked(agent, 'xscreensaver');
  command('-deactivate');
  await isOpen(agent);
  saver.kill();
});

test('swaylock', async () => {
  const desktop = await startSway();
  onTestFinished(desktop.close);
  const pid = await desktop.open('agent', 'foot');
  await isOpen(pid);
  desktop.command('exec swaylock');
  await isLocked(pid, 'swaylock');
  expect(await evidenceAt(pid)).toBe('swaylock has locked the screen');
});

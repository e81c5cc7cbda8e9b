// A terminal that does not name its window: the one in front while a prompt is given is taken for it, and is known again later.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDetection, createPromptWindow, DETECTORS } from '../../src/presence/index.ts';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { temporaryFolder } from '../support/home.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop({ server: false, manager: true });
});
afterAll(() => screen.close());

const active = (): string => {
  try {
    const env = { ...process.env, ...screen.env };
    return execFileSync('xdotool', ['getactivewindow'], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return ''; // none at the moment
  }
};

/** A terminal in front; the pid of what runs in it, and its window. */
async function openTerminal(...more: readonly string[]): Promise<{ readonly pid: number; readonly id: string }> {
  const file = join(temporaryFolder(), 'pid');
  const before = active();
  const child = spawn('xterm', ['-e', 'env', ...more, 'sh', '-c', `echo $$ > '${file}'; exec sleep 600`], {
    env: { ...process.env, ...screen.env, WAYLAND_DISPLAY: undefined, TMUX: undefined, SSH_CONNECTION: undefined },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(() => active() !== '' && active() !== before, 'the window', 60_000);
  const read = (): number => {
    try {
      return Number(readFileSync(file, 'utf8'));
    } catch {
      return 0; // not written yet
    }
  };
  return { pid: await until(read, 'the process'), id: active() };
}

test('the window in front is known by the prompt, and looked for when something is due', async () => {
  const env = { ...process.env, ...screen.env };
  const windowOf = createPromptWindow('linux', env);
  const agent = await openTerminal('-u', 'WINDOWID');
  const found = await until(() => windowOf(agent.pid), 'its window');
  expect(found).toBe(agent.id);

  let at = 0;
  const detect = createDetection(DETECTORS, {
    platform: 'linux',
    env,
    now: () => (at += 2_000),
    steady: () => performance.now(),
  });
  const looking = async (windowId: string | null) =>
    (await detect({ place: { ...UNKNOWN_PLACE, windowId }, pid: agent.pid, looking: true, idle: 60_000, only: 'idle' }))
      .looking;
  expect(await until(async () => (await looking(found)) === 'yes', 'that somebody looks')).toBe(true);
  expect(await looking(null)).toBe('unknown');

  // A prompt that comes from elsewhere finds another window in front.
  const other = await openTerminal();
  expect(other.id).not.toBe(agent.id);
  expect(await windowOf(agent.pid)).toBe(null);
  expect(await until(async () => (await looking(found)) === 'no', 'that nobody looks')).toBe(true);
  // This one names its window itself.
  expect(await windowOf(other.pid)).toBe(null);
});

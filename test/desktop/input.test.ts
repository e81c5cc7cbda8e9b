// The last input on a real X server: what is typed after an event is, and what was typed before it is not.
import { execFileSync, spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { UNKNOWN_PLACE } from '../../src/model/session/place.ts';
import { createDetection, DETECTORS } from '../../src/presence/index.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

test('keys and the pointer on the desktop that shows the session', async () => {
  const screen = await startVirtualDesktop({ server: false });
  onTestFinished(screen.close);
  const env = { PATH: process.env['PATH'], ...screen.env };
  const agent = spawn('sleep', ['600'], { env, stdio: 'ignore' });
  onTestFinished(() => void agent.kill('SIGKILL'));
  const input = async () => {
    const detect = createDetection(DETECTORS, {
      platform: 'linux',
      env: { PATH: process.env['PATH'] },
      now: Date.now,
      steady: () => performance.now(),
    });
    const question = { place: UNKNOWN_PLACE, pid: agent.pid ?? 0, looking: true, idle: 180_000, only: 'idle' } as const;
    return (await detect(question)).input;
  };
  const first = await until(input, 'the X server to say it', 60_000);
  expect(first).toBeLessThanOrEqual(Date.now());
  for (const words of [
    ['key', 'a'],
    ['mousemove_relative', '5', '5'],
  ]) {
    // The X server and this process each read the clock: the last input is some milliseconds old first.
    await until(async () => ((await input()) ?? Infinity) < Date.now() - 100, 'the last input to be past', 60_000);
    const event = Date.now();
    expect(await until(input, 'its answer', 60_000)).toBeLessThanOrEqual(event);
    execFileSync('xdotool', words, { env });
    await until(async () => ((await input()) ?? 0) > event, words.join(' '), 60_000);
  }
});

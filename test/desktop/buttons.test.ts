// The button "Got it" of a real notification server: it acknowledges as `belfry ack` does, through the built daemon.
import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop();
});
afterAll(() => screen.close());

interface Pending {
  readonly session_id: string;
}

test('pressing it acknowledges the notification, and takes it from the screen', async () => {
  const home = temporaryFolder();
  await startDaemon(home, { env: screen.env });
  const pending = async () => JSON.parse((await belfry(home, ['pending', '--json'])).stdout) as Pending[];
  const prompt = { ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input, session_id: 'asked' };
  await hook(home, JSON.stringify(prompt));
  await until(async () => (await screen.displayed()) === 1, 'the prompt', 20_000);
  expect((await pending()).map(({ session_id }) => session_id)).toEqual(['asked']);
  await screen.press();
  await until(async () => (await pending()).length === 0, 'the acknowledgement', 20_000);
  await until(async () => (await screen.displayed()) === 0, 'the prompt to disappear', 20_000);
  const { stdout } = await belfry(home, ['event', 'asked', '--json']);
  expect(stdout).toContain(userInfo().username);
  expect(stdout).toMatch(/through desktop|"via": ?"desktop"/);
});

// Buttons of a real notification server, through the built daemon: "Got it" acknowledges as `belfry ack` does, Allow and Deny reach the hook that waits.
import { listed } from '../support/lists.ts';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQuestion, permission, questionsIn, waitAsHook } from '../support/answering.ts';
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

test('pressing "Got it" acknowledges the notification, and takes it from the screen', async () => {
  const home = temporaryFolder();
  await startDaemon(home, { env: screen.env });
  const pending = async () => await listed<Pending[]>(home, ['pending']);
  const prompt = { ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input, session_id: 'asked' };
  await hook(home, JSON.stringify(prompt));
  await until(async () => (await screen.displayed()) === 1, 'the prompt', 20_000);
  expect((await pending()).map(({ session_id }) => session_id)).toEqual(['asked']);
  await screen.pressLabelled('Got it');
  await until(async () => (await pending()).length === 0, 'the acknowledgement', 20_000);
  await until(async () => (await screen.displayed()) === 0, 'the prompt to disappear', 20_000);
  const { stdout } = await belfry(home, ['event', 'asked', '--json']);
  expect(stdout).toContain(userInfo().username);
  expect(stdout).toMatch(/through desktop|"via": ?"desktop"/);
});

test.each([
  ['Allow', 'touch one.txt', { behavior: 'allow' }],
  ['Deny', `touch ${'long '.repeat(60)}`, { behavior: 'deny' }],
])('%s reaches the hook that waits, and the notification goes', async (label, line, decision) => {
  const home = temporaryFolder();
  const config = '[answer]\nchannels = ["desk"]\n[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["desk"]\n';
  writeFileSync(join(home, 'config.toml'), config);
  await startDaemon(home, { env: screen.env });
  const input = permission('asked', line);
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input, startedAt);
  await openQuestion(home, 'asked');
  await until(async () => (await screen.displayed()) === 1, 'the prompt', 20_000);
  // What is cut off cannot be allowed here: the menu has no such line.
  if (label === 'Deny') await screen.pressLabelled('Allow');
  await until(
    async () => {
      await screen.pressLabelled(label);
      return (await questionsIn(home))[0]?.state === 'answered';
    },
    'the answer',
    20_000,
  );
  const printed = String((await talk.next())?.data?.['stdout']);
  expect(JSON.parse(printed)).toMatchObject({ hookSpecificOutput: { decision } });
  expect((await questionsIn(home))[0]).toMatchObject({ answeredBy: `${userInfo().username} (desk)` });
  await until(async () => (await screen.displayed()) === 0, 'the prompt to disappear', 20_000);
});

// A group on a real notification server: it appears once, grows in place, and goes when all that it stands for is over.
import { listed } from '../support/lists.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

const SETTINGS = `[channels.desk]
type = "desktop"
[[routes]]
to = ["desk"]
group = { by = ["kind"], wait = "1s", every = "3s" }
`;

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop();
});
afterAll(() => screen.close());

const finish = (home: string, project: string): Promise<unknown> =>
  hook(home, JSON.stringify({ session_id: project, hook_event_name: 'Stop', cwd: join('/src', project) }));
const wentOn = (home: string, project: string): Promise<unknown> =>
  hook(home, JSON.stringify({ session_id: project, hook_event_name: 'UserPromptSubmit', cwd: join('/src', project) }));

interface Row {
  readonly operation: string;
  readonly state: string;
  readonly title: string;
}

/** What was sent to the desktop, in the order in which it was planned. */
async function sentTo(home: string): Promise<readonly string[]> {
  const rows = await listed<Row[]>(home, ['deliveries']);
  return rows.flatMap(({ operation, state, title }) => (state === 'sent' ? [`${operation}: ${title}`] : []));
}

test('finishes of several sessions are one notification, which grows in place and goes when people went on in all of them', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), SETTINGS, { mode: 0o600 });
  await startDaemon(home, { env: screen.env });
  const includes = (line: string): Promise<true> =>
    until(async () => (await sentTo(home)).includes(line) || null, line, 60_000);

  // The first two may come apart on a busy machine: then the second grows it already.
  for (const project of ['api', 'web']) await finish(home, project);
  await until(async () => (await screen.displayed()) === 1, 'the group', 60_000);
  await finish(home, 'infra');
  await includes('update: 3 sessions finished: api, web, infra');
  expect(await screen.displayed()).toBe(1);
  expect((await sentTo(home)).filter((line) => line.startsWith('send: '))).toHaveLength(1);

  for (const project of ['api', 'web']) await wentOn(home, project);
  expect(await screen.displayed()).toBe(1);
  await wentOn(home, 'infra');
  await until(async () => (await screen.displayed()) === 0, 'the group to go', 60_000);
  // One place on the screen from beginning to end.
  expect(await screen.shown()).toHaveLength(1);
});

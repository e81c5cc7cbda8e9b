// Words written in a notification, through the built daemon: they reach the hook that waits, and only where the channel may answer.
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Conversation, openQuestion, permission, questionsIn, stop, waitAsHook } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { type NotificationServer, startBus } from '../support/notification-server.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

let bus: Awaited<ReturnType<typeof startBus>>;
let server: NotificationServer;
beforeEach(async () => {
  bus = await startBus();
  server = await bus.serve({ capabilities: () => ['body', 'actions', 'inline-reply'] });
});
afterEach(() => bus.close());

/** A daemon whose desktop has asked what this input asks. */
async function asked(input: Record<string, unknown>, channels = '["desk"]'): Promise<[string, Conversation]> {
  const home = temporaryFolder();
  const route = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["desk"]\n';
  writeFileSync(join(home, 'config.toml'), `[answer]\nchannels = ${channels}\n${route}`);
  await startDaemon(home, { env: { DBUS_SESSION_BUS_ADDRESS: bus.address } });
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input, startedAt);
  await openQuestion(home, 'asked');
  return [home, talk];
}

const field = (label: string) =>
  until(() => {
    const at = server.calls.findLastIndex(({ actions }) => actions.includes('inline-reply'));
    const { actions = [], replaces = 0 } = server.calls[at] ?? {};
    return actions[actions.indexOf('inline-reply') + 1] === label ? replaces || at + 1 : null;
  }, 'a notification to write in');

test('a reply after the finish, one of two texts', async () => {
  const [home, talk] = await asked(stop('asked'));
  const id = await field('Reply');
  for (const text of ['', 'also update the docs', 'and the tests']) server.reply(id, text);
  expect(['also update the docs', 'and the tests']).toContain((await talk.next())?.data?.['reply']);
  expect((await questionsIn(home))[0]).toMatchObject({ answeredBy: `${userInfo().username} (desk)` });
  const said = (): readonly string[] => server.calls.map(({ body }) => body);
  await until(() => said().includes('The agent has your reply.'), 'the line that says so');
  await until(() => said().some((body) => body.includes('answered first')), 'the line that refuses the other');
});

test('a text denies a permission and says why; a yes does not allow it', async () => {
  const [home, talk] = await asked(permission('asked'));
  const id = await field('Deny with a text');
  server.reply(id, 'yes');
  await until(() => server.calls.some(({ body }) => body.startsWith('Nothing was sent.')), 'the refusal');
  expect((await questionsIn(home))[0]?.state).toBe('open');
  server.reply(id, 'use notes.md instead');
  expect(JSON.parse(String((await talk.next())?.data?.['stdout']))).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'deny', message: 'use notes.md instead' } },
  });
  await until(() => server.closed.includes(id), 'the notification to be taken away');
});

test('nothing can be written where the channel may not answer', async () => {
  const [home] = await asked(permission('asked'), '[]');
  await until(() => server.calls.length > 0, 'the notification');
  server.reply(1, 'use notes.md instead');
  server.press(1, 'inline-reply');
  await until(async () => (await questionsIn(home))[0]?.state === 'open', 'the question');
  expect(server.calls.flatMap(({ actions }) => actions)).not.toContain('inline-reply');
});

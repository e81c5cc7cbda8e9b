// Words written in a notification, through the built daemon: they reach the hook that waits, and only where the channel may answer.
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Conversation, openQuestion, permission, questionsIn, stop, waitAsHook } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { type NotificationServer, startBus } from '../support/notification-server.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
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
  // The server took it away with the text, so it is shown again: with the field, and with Allow.
  const asks = () => server.calls.filter(({ actions }) => actions.includes('inline-reply'));
  await until(() => asks().length === 2, 'the question to be shown again');
  expect(asks()[1]?.actions).toEqual(asks()[0]?.actions);
  expect(asks()[1]?.actions).toContain('Allow');
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
  const before = server.calls.length;
  await hook(home, JSON.stringify(stop('later')), ['--agent', 'claude']);
  await until(() => server.calls.length > before, 'what comes after it');
  expect((await questionsIn(home))[0]?.state).toBe('open');
  expect(server.calls.flatMap(({ actions }) => actions)).not.toContain('inline-reply');
});

test('"Got it" in what a daemon before this one has shown is heard', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["desk"]\n');
  const env = { DBUS_SESSION_BUS_ADDRESS: bus.address };
  const first = await startDaemon(home, { env });
  await hook(home, JSON.stringify(permission('asked')), ['--agent', 'claude']);
  const key = await until(() => server.calls[0]?.actions.find((text) => text.startsWith('ack:')), 'its button');
  const isSent = async () => /"state": ?"sent"/.test((await belfry(home, ['deliveries', '--json'])).stdout);
  await until(isSent, 'it to count as sent');
  await first.stop();
  await startDaemon(home, { env });
  await until(async () => {
    server.press(1, key);
    return (await belfry(home, ['pending', '--json'])).stdout.trim() === '[]';
  }, 'it to be acknowledged');
  expect(server.calls.map(({ summary }) => summary)).toHaveLength(1);
});

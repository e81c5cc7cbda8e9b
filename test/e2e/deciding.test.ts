// What is decided later, through the built programs with real receivers: who is there, what is muted or quiet by then, and what is over.
import { expect, test } from 'vitest';
import { hoursIn } from '../support/hours.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { asked, homeWith, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const settings = (url: string, route: string, more = ''): string => `
[channels.desk]
type = "slack"
url = "${url}/services/desk"
allow_private = true
[channels.phone]
type = "slack"
url = "${url}/services/phone"
allow_private = true
[[routes]]
match = { kind = ["agent.waiting", "agent.finished", "session.failed"] }
to = ["desk"]
${route}
[[routes]]
to = []
${more}
`;

const input = (session: string, name: string, more: object = {}): string =>
  JSON.stringify({ session_id: session, hook_event_name: name, cwd: '/src/payments', ...more });
const tool = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'u1' };
const asks = (session: string): string => input(session, 'PermissionRequest', tool);
const answered = (session: string): string => input(session, 'PostToolUse', { ...tool, tool_response: {} });
const prompt = (session: string): string => input(session, 'UserPromptSubmit', { prompt: 'Go on' });
const fails = (session: string): string => input(session, 'StopFailure', { error: 'rate_limit' });
const ends = (session: string): string => input(session, 'SessionEnd', { reason: 'error' });

const CLAUDE = ['--agent', 'claude'];

interface Row {
  readonly channel: string;
  readonly session_id: string;
  readonly step: number;
  readonly state: string;
  readonly held_by: string | null;
}

/** "desk one 0 sent" of each delivery; of what is held also by what. */
async function rows(home: string): Promise<readonly string[]> {
  const found = await asked<Row[]>(home, ['deliveries', '--limit', '100']);
  return found.map(({ channel, session_id, step, state, held_by }) => {
    const held = state === 'pending' && held_by !== null ? ` held by ${held_by.split(':')[0]}` : '';
    return `${channel} ${session_id} ${step} ${state}${held}`;
  });
}

const waitFor = (home: string, row: string): Promise<unknown> =>
  until(async () => (await rows(home)).includes(row), row, 60_000);
const to = (requests: readonly Received[], channel: string): readonly string[] =>
  requests.filter(({ path }) => path.endsWith(channel)).map(({ body }) => body);

const STEP = 'escalate = [{ after = "20s", to = ["phone"] }]';

test.each<[name: string, end: (home: string) => Promise<unknown>]>([
  ['ack', (home) => belfry(home, ['ack'])],
  ['the tool that ran', (home) => hook(home, answered('one'), CLAUDE)],
  ['a prompt', (home) => hook(home, prompt('one'), CLAUDE)],
  ['the end of its turn', (home) => hook(home, fails('one'), CLAUDE)],
  ['the end of its session', (home) => hook(home, ends('one'), CLAUDE)],
])('a step is cancelled by %s', async (_name, end) => {
  const receiver = await startReceiver();
  const home = homeWith(settings(receiver.url, STEP).replace(', "agent.finished", "session.failed"', ''));
  await startDaemon(home);
  await hook(home, asks('one'), CLAUDE);
  await waitFor(home, 'desk one 0 sent');
  expect(await rows(home)).toContain('phone one 1 pending');
  await end(home);
  await waitFor(home, 'phone one 1 cancelled');
  expect(to(receiver.requests, 'phone')).toEqual([]);
});

test('when = "idle": somebody who said to be back is waited for, until they say to be away', async () => {
  const receiver = await startReceiver();
  const home = homeWith(settings(receiver.url, 'when = "idle"'));
  await startDaemon(home);
  await belfry(home, ['back']);
  await hook(home, asks('one'), CLAUDE);
  const [event] = await until(async () => {
    const events = await asked<{ id: string }[]>(home, ['events']);
    return events.length > 0 ? events : null;
  }, 'the event');
  const why = async (): Promise<string> => (await belfry(home, ['why', event?.id ?? ''])).stdout;
  await until(async () => (await why()).includes('waits: you said that you are back'), 'why it waits');
  expect(receiver.requests).toHaveLength(0);
  await hook(home, ends('two'), CLAUDE); // urgent, and no route of its own
  await belfry(home, ['away', '1h']);
  await until(async () => (await rows(home)).includes('desk one 0 sent'), 'the next look', 90_000);
  expect(await why()).toContain('you said that you are away until');
  expect(receiver.requests).toHaveLength(1);
});

test('a mute holds the step of what was sent before it; what is urgent passes; pending and events name the digest', async () => {
  const receiver = await startReceiver();
  const home = homeWith(settings(receiver.url, 'escalate = [{ after = "6s", to = ["phone"] }]'));
  await startDaemon(home);
  await hook(home, asks('one'), CLAUDE);
  await waitFor(home, 'desk one 0 sent');
  await belfry(home, ['mute']);
  await hook(home, asks('two'), CLAUDE);
  await hook(home, fails('three'), CLAUDE);
  await waitFor(home, 'desk three 0 sent');
  await waitFor(home, 'phone one 1 pending held by mute');
  await waitFor(home, 'desk two 0 pending held by mute');
  await belfry(home, ['unmute']);
  await waitFor(home, 'phone one 1 superseded');
  await until(() => to(receiver.requests, 'phone').some((body) => body.includes('While it was muted')), 'its digest');
  const pending = await asked<{ event_id: string; notified: string[]; in_digest: string[] }[]>(home, ['pending']);
  expect(pending.filter(({ in_digest }) => in_digest.includes('desk'))).toMatchObject([{ notified: ['desk'] }]);
  expect((await belfry(home, ['events', '--session', 'two'])).stdout).not.toContain('not sent');
});

test('quiet hours that the settings take back release what they hold', async () => {
  const receiver = await startReceiver();
  const hours = `[quiet]\nhours = ["${hoursIn(-1, 6)}"]\n`;
  const home = homeWith(settings(receiver.url, '', hours));
  await startDaemon(home);
  await hook(home, asks('one'), CLAUDE);
  await waitFor(home, 'desk one 0 pending held by quiet');
  writeSettings(home, settings(receiver.url, ''));
  await waitFor(home, 'desk one 0 superseded');
  expect((await receiver.waitFor(1))[0]?.body).toContain('While it was quiet: 1 still waiting');
});

test('a kill while a step waits: it comes once, and with it nothing else', async () => {
  const receiver = await startReceiver();
  const home = homeWith(settings(receiver.url, 'escalate = [{ after = "8s", to = ["phone"] }]'));
  const daemon = await startDaemon(home);
  await hook(home, asks('one'), CLAUDE);
  await waitFor(home, 'desk one 0 sent');
  await daemon.stop('SIGKILL');
  await startDaemon(home);
  await waitFor(home, 'phone one 1 sent');
  expect(to(receiver.requests, 'phone')).toEqual([expect.stringContaining('not acknowledged for 8 s')]);
  expect(to(receiver.requests, 'desk')).toHaveLength(1);
});

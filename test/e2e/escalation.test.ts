// A route that sends later, through the built programs: what is answered or acknowledged in time is not sent, the rest is, once.
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver, type Received } from '../support/receiver.ts';
import { asked, homeWith, SECRET, stop, verified } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const settings = (desk: string, phone: string, route: string): string => `
[channels.desk]
type = "slack"
url = "${desk}/services/x"
allow_private = true
[channels.phone]
type = "webhook"
url = "${phone}"
secret = "${SECRET}"
allow_private = true
[[routes]]
match = { kind = "agent.waiting" }
to = ["desk"]
${route}
[[routes]]
to = []
`;

const asks = (session: string): string =>
  JSON.stringify({
    session_id: session,
    hook_event_name: 'Notification',
    cwd: '/src/payments',
    notification_type: 'permission_prompt',
    message: 'Claude needs your permission to use Bash',
  });
const prompts = (session: string): string =>
  JSON.stringify({ session_id: session, hook_event_name: 'UserPromptSubmit', cwd: '/src/payments', prompt: 'go on' });

const titles = (requests: readonly Received[]): readonly string[] =>
  requests.map((request) => verified(request).data.notification.title);

interface Row {
  readonly channel: string;
  readonly session_id: string;
  readonly state: string;
}

/** "phone one cancelled" of each delivery. */
async function rows(home: string): Promise<readonly string[]> {
  const found = await asked<Row[]>(home, ['deliveries', '--limit', '100']);
  return found.map(({ channel, session_id, state }) => `${channel} ${session_id} ${state}`);
}

test('answered and acknowledged in time: no step goes out; neither: it does, across a restart', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const home = homeWith(settings(desk.url, phone.url, 'escalate = [{ after = "30s", to = ["phone"] }]'));
  const daemon = await startDaemon(home);
  for (const session of ['left', 'answered', 'acknowledged']) await hook(home, asks(session), ['--agent', 'claude']);
  await desk.waitFor(3);
  await hook(home, prompts('answered'), ['--agent', 'claude']);
  await until(async () => (await rows(home)).includes('phone answered cancelled'), 'the answer');
  const pending = await asked<{ id: string; session_id?: string; title: string }[]>(home, [
    'events',
    '--session',
    'acknowledged',
  ]);
  const acknowledged = await belfry(home, ['ack', pending[0]?.id ?? '']);
  expect(acknowledged.code).toBe(0);
  await daemon.stop();
  await startDaemon(home);
  await phone.waitFor(1);
  expect(titles(phone.requests)).toEqual([expect.stringContaining('(not acknowledged for 30 s)')]);
  expect(await rows(home)).toEqual(
    expect.arrayContaining(['phone left sent', 'phone answered cancelled', 'phone acknowledged cancelled']),
  );
  expect(phone.requests).toHaveLength(1);
});

test('a delay: what is answered within it is never sent', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const home = homeWith(settings(desk.url, phone.url, 'delay = "4s"'));
  await startDaemon(home);
  await hook(home, asks('answered'), ['--agent', 'claude']);
  await hook(home, prompts('answered'), ['--agent', 'claude']);
  await hook(home, asks('open'), ['--agent', 'claude']);
  await desk.waitFor(1);
  await until(async () => (await rows(home)).includes('desk open sent'), 'what is still open');
  expect(await rows(home)).toEqual(['desk answered cancelled', 'desk open sent']);
  expect(desk.requests).toHaveLength(1);
});

test('a reminder every second until it is acknowledged', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const home = homeWith(settings(desk.url, phone.url, 'repeat = "1s"'));
  await startDaemon(home);
  await hook(home, asks('one'), ['--agent', 'claude']);
  await desk.waitFor(3);
  expect((await belfry(home, ['ack'])).code).toBe(0);
  await until(async () => (await rows(home)).includes('desk one cancelled'), 'the last reminder to be taken back');
  const sent = desk.requests.length;
  await hook(home, JSON.stringify(stop('two')), ['--agent', 'claude']);
  expect(desk.requests.map(({ body }) => body).slice(1, 3)).toEqual([
    expect.stringContaining('not acknowledged for 1 s'),
    expect.stringContaining('not acknowledged for 2 s'),
  ]);
  expect(desk.requests.length).toBe(sent);
});

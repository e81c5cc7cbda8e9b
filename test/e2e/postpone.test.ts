// "Hold that back for some minutes": escalation and reminders of one notification come so much later, over a restart, and not at all once it is acknowledged.
import { expect, test } from 'vitest';
import { createInterfaceClient } from '../../src/http/api/client.ts';
import { checked, problemOf, visit } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { dayTime } from '../../src/model/time/clock-time.ts';

const chat = (name: string, url: string): string =>
  `[channels.${name}]\ntype = "slack"\nurl = "${url}/services/x"\nallow_private = true\n`;

const settings = (desk: string, phone: string, route: string): string =>
  `${chat('desk', desk)}${chat('phone', phone)}[http]\nlisten = ["127.0.0.1:0"]\n[[routes]]\nmatch = { kind = "agent.waiting" }\nto = ["desk"]\n${route}\n[[routes]]\nto = ["desk"]\n`;

const PROMPT = JSON.stringify({
  session_id: 's',
  hook_event_name: 'Notification',
  cwd: '/src/payments',
  notification_type: 'permission_prompt',
  message: 'Claude needs your permission to use Bash',
});

const MINUTE = 60_000;

test('steps and the reminder are put off together, over a restart, until somebody acknowledges', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const route = 'escalate = [{ after = "20m", to = ["phone"] }]\nrepeat = "30m"';
  const home = homeWith(settings(desk.url, phone.url, route));
  const daemon = await startDaemon(home);
  const { call } = await visit(home);
  await hook(home, PROMPT, ['--agent', 'claude']);
  await desk.waitFor(1);
  const open = async () => (await call('notifications.list', {})).notifications[0];
  const before = await until(async () => ((await open())?.next.length === 2 ? open() : null), 'what is planned');
  expect(before?.next.map(({ channel, what, held }) => [channel, what, held])).toEqual([
    ['phone', 'escalation', false],
    ['desk', 'reminder', false],
  ]);
  const id = before?.id ?? '';
  const times = (next: readonly { readonly at: string }[] = []) => next.map(({ at }) => Date.parse(at));
  const later = times(before?.next).map((at) => at + 10 * MINUTE);

  const { token } = await asked<{ token: string }>(home, ['token', 'add', 'bot', '--scope', 'answer']);
  const { origin } = await visit(home);
  const bot = checked(createInterfaceClient({ origin, token: () => token }));
  expect((await problemOf(bot('notifications.postpone', { id, minutes: 10 }))).status).toBe(403);
  expect(times((await open())?.next)).toEqual(times(before?.next));

  expect(times((await call('notifications.postpone', { id, minutes: 10 })).next)).toEqual(later);
  await daemon.stop();
  await startDaemon(home);
  const again = await visit(home);
  const [kept] = (await again.call('notifications.list', {})).notifications;
  expect(times(kept?.next)).toEqual(later);
  const putOff = new RegExp(
    `What follows was put off for 10 min by .* through page, until ${dayTime(later[0] ?? 0, Date.now())}\\.`,
  );
  const { rows } = await again.call('events.why', { id });
  const row = rows.find(({ text }) => putOff.test(text));
  expect(Date.now() - Date.parse(row?.at ?? '')).toBeLessThan(10 * MINUTE);
  expect((await belfry(home, ['why', id])).stdout).toMatch(putOff);

  expect(times((await again.call('notifications.postpone', { id, minutes: -10 })).next)).toEqual(times(before?.next));
  expect((await again.call('events.why', { id })).rows.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^What follows comes 10 min earlier again, by .* through page\.$/),
  );
  expect((await problemOf(again.call('notifications.postpone', { id, minutes: 0 }))).status).toBe(400);

  await again.call('notifications.ack', { id });
  expect((await problemOf(again.call('notifications.postpone', { id, minutes: 10 }))).status).toBe(409);
  const [over] = (await again.call('notifications.list', { state: 'acknowledged' })).notifications;
  expect(over?.next).toEqual([]);
  expect((await problemOf(again.call('notifications.postpone', { id: 'none', minutes: 1 }))).status).toBe(404);
  expect(phone.requests).toHaveLength(0);
});

test('what was put off goes out then, and says for how long nobody has reacted', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const route = 'escalate = [{ after = "4s", to = ["phone"] }]\nrepeat = "6s"';
  const home = homeWith(settings(desk.url, phone.url, route));
  await startDaemon(home);
  const { call } = await visit(home);
  await hook(home, PROMPT, ['--agent', 'claude']);
  await desk.waitFor(1);
  const [open] = (await call('notifications.list', {})).notifications;
  await call('notifications.postpone', { id: open?.id ?? '', minutes: 0.1 });
  await phone.waitFor(1);
  await desk.waitFor(3);
  const sentAt = desk.requests[0]?.at ?? 0;
  expect(phone.requests[0]?.body).toContain('not acknowledged for 10 s');
  expect((phone.requests[0]?.at ?? 0) - sentAt).toBeGreaterThan(9_000);
  expect(desk.requests.slice(1).map(({ body }) => /not acknowledged for \d+ s/.exec(body)?.[0])).toEqual([
    'not acknowledged for 12 s',
    'not acknowledged for 18 s',
  ]);
  expect((desk.requests[1]?.at ?? 0) - sentAt).toBeGreaterThan(11_000);
  expect((desk.requests[2]?.at ?? 0) - sentAt).toBeGreaterThan(17_000);
});

test('brought back is what was put off, and no more; nothing comes before it was planned', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const escalate = 'escalate = [{ after = "20m", to = ["phone"] }]';
  const home = homeWith(
    settings(desk.url, phone.url, escalate).replace(
      '[[routes]]',
      `[[routes]]\nmatch = { project = "shop", kind = "agent.waiting" }\nto = ["desk"]\n${escalate}\nrepeat = "30m"\n[[routes]]`,
    ),
  );
  await startDaemon(home);
  const { call } = await visit(home);
  for (const project of ['shop', 'web'])
    await hook(home, PROMPT.replace('payments', project).replace('"s"', `"${project}"`), ['--agent', 'claude']);
  await desk.waitFor(2);
  const open = (await call('notifications.list', {})).notifications;
  for (const project of ['shop', 'web']) {
    const { id = '', next: planned = [] } = open.find((one) => one.project === project) ?? {};
    const back = { id, minutes: -1_000 };
    expect((await problemOf(call('notifications.postpone', back))).detail).toContain('nothing of it was put off');
    await call('notifications.postpone', { id, minutes: 5 });
    await call('notifications.postpone', { id, minutes: 5 });
    expect((await call('notifications.postpone', back)).next).toEqual(planned);
    expect((await problemOf(call('notifications.postpone', back))).status).toBe(409);
  }
  expect(phone.requests).toHaveLength(0);
});

test('what would have gone out by now goes out at once when it is brought back', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const home = homeWith(settings(desk.url, phone.url, 'escalate = [{ after = "4s", to = ["phone"] }]'));
  await startDaemon(home);
  const { call } = await visit(home);
  await hook(home, PROMPT, ['--agent', 'claude']);
  await desk.waitFor(1);
  const [open] = (await call('notifications.list', {})).notifications;
  const { id = '', next: [planned] = [] } = open ?? {};
  await call('notifications.postpone', { id, minutes: 60 });
  await until(() => Date.now() > Date.parse(planned?.at ?? '') + 500, 'the time at which it was planned');
  expect(phone.requests).toHaveLength(0);
  expect((await call('notifications.postpone', { id, minutes: -60 })).next).toEqual([]);
  await phone.waitFor(1);
});

test('a finish without steps has nothing to put off', async () => {
  const desk = await startReceiver();
  const home = homeWith(settings(desk.url, desk.url, ''));
  await startDaemon(home);
  const { call } = await visit(home);
  await hook(home, JSON.stringify({ session_id: 'f', hook_event_name: 'Stop', cwd: '/src/payments' }), [
    '--agent',
    'claude',
  ]);
  await desk.waitFor(1);
  const [open] = (await call('notifications.list', {})).notifications;
  expect((await problemOf(call('notifications.postpone', { id: open?.id ?? '', minutes: 5 }))).detail).toContain(
    'no escalation or reminder',
  );
});

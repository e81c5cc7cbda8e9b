// Bad requests at the page and its interface as the daemon serves them: none learns, changes or answers anything.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWaiting, permission } from '../support/answering.ts';
import { dashboardAddress, visit } from '../support/interface.ts';
import { INTRUDERS, type Known } from '../support/intruders.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { createInterfaceClient } from '../../src/http/api/client.ts';

/** In what an agent says: whoever reads it has got in. */
const SECRET = 'the ledger of payments';
const settings = (service: string): string => `
[api]
base_url = "${service}"
key = "not-a-real-key"
[channels.log]
type = "command"
run = ["true"]
[[routes]]
to = ["log"]
[answer]
kinds = ["permission"]
`;

test(`none of ${INTRUDERS.length} bad requests gets in`, async () => {
  expect(INTRUDERS.length).toBeGreaterThanOrEqual(60);
  const service = await startReceiver();
  const home = homeWith(settings(service.url));
  await startDaemon(home);
  const waiting = await startWaiting(home, permission('s1', `cat "${SECRET}"`));
  await hook(home, JSON.stringify({ session_id: 's2', hook_event_name: 'Stop', last_assistant_message: SECRET }), [
    '--agent',
    'claude',
  ]);
  const { origin, token: page, call } = await visit(home);
  const finished = await until(async () => {
    const { notifications } = await call('notifications.list', {});
    return notifications.find(({ session_id }) => session_id === 's2');
  }, 'the notification');
  const { code: usedCode } = await dashboardAddress(home);
  const other = await createInterfaceClient({ origin, token: () => null })('page.token', { code: usedCode });
  const token = async (name: string): Promise<string> =>
    (await asked<{ token: string }>(home, ['token', 'add', name, '--scope', name])).token;
  const kept = JSON.parse(readFileSync(join(home, 'state', 'tokens.json'), 'utf8')) as { pages: { hash: string }[] };
  const [, asset = ''] = /\/assets\/(app-[\w.-]+)/.exec(await (await fetch(origin)).text()) ?? [];
  const port = Number(new URL(origin).port);
  const known: Known = {
    port,
    own: `127.0.0.1:${port}`,
    page,
    usedCode,
    asset,
    read: await token('read'),
    publish: await token('publish'),
    answer: await token('answer'),
    hash: kept.pages[0]?.hash ?? '',
    question: waiting.question.id,
    notification: finished.id,
  };
  const state = async (): Promise<string> => {
    const [{ mutes }, { notifications }, { questions }, { deliveries }, { sessions }, { events }] = await Promise.all([
      call('mutes.list', {}),
      call('notifications.list', {}),
      call('questions.list', {}),
      call('deliveries.list', {}),
      call('sessions.list', {}),
      call('events.list', {}),
    ]);
    const counts = [mutes, notifications, questions, sessions, events].map((list) => list.length);
    return JSON.stringify([...counts, deliveries.map(({ id, attempts }) => [id, attempts])]);
  };
  const before = await until(async () => {
    const { deliveries } = await call('deliveries.list', {});
    return deliveries.every((one) => one.state === 'sent') ? state() : null;
  }, 'everything to be sent');

  const wrong: string[] = [];
  await Promise.all(
    INTRUDERS.map(async ([name, request, expected]) => {
      const { status, headers, body } = await sendRaw(port, request(known));
      if (!expected.includes(status)) wrong.push(`${name}: ${status}, expected ${expected.join(' or ')}`);
      if (body.includes(SECRET)) wrong.push(`${name}: learned what an agent said`);
      if ([page, other.token].some((one) => body.includes(one))) wrong.push(`${name}: learned a token`);
      if (Object.keys(headers).some((one) => one.startsWith('access-control-'))) wrong.push(`${name}: a CORS header`);
    }),
  );
  expect(wrong).toEqual([]);
  expect(await state()).toBe(before);
  expect(service.requests).toEqual([]);
  expect(waiting.process.exitCode).toBeNull(); // its question is still open
});

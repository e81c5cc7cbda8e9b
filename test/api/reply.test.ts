// `belfry reply`: posts to the session an event came from, as the journal has it.
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { madeDecision, madeDelivery, madeEvent, madeSession, NOON } from '../support/made.ts';
import { belfry } from '../support/programs.ts';
import { onTestFinished } from 'vitest';
import { commitOne, keepSession } from '../support/store-writes.ts';

/** A home whose journal has these events. */
async function homeWith(events: readonly ReturnType<typeof madeEvent>[]): Promise<string> {
  const home = temporaryFolder();
  const store = await openStore(pathsBelow(home).database);
  for (const event of events) {
    await store.append({
      id: event.id,
      source: 'watch',
      startedAt: event.at,
      receivedAt: event.at,
      header: '{}',
      raw: null,
      orderingKey: null,
    });
    const notified = [{ event, fingerprint: null, verdicts: [] }];
    await commitOne(store, madeDecision({ entryId: event.id, at: event.at, events: notified }));
  }
  await store.close();
  return home;
}

test('the message reaches the session; id and state come back', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const home = await homeWith([
    madeEvent({ id: 'with-session', sessionId: 'session-2' }),
    madeEvent({ id: 'without', sessionId: null }),
  ]);
  const env = {
    BELFRY_API_BASE_URL: sandbox.baseUrl,
    BELFRY_API_APP_URL: sandbox.appUrl,
    BELFRY_API_KEY: sandbox.apiKey,
  };
  const ran = await belfry(home, ['reply', 'with-session', 'Yes, go on', '--json'], { env });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const answer = JSON.parse(ran.stdout) as Record<string, string>;
  expect(answer).toEqual({ sessionId: 'session-2', messageId: expect.any(String), status: 'pending' });
  const message = await belfry(home, ['api', 'sessions', 'message', 'session-2', answer['messageId'] ?? '', '--json'], {
    env,
  });
  expect(JSON.parse(message.stdout)).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'Yes, go on' }] });
  expect(await belfry(home, ['reply', 'unknown', 'x'], { env })).toMatchObject({ code: 4, stdout: '' });
  expect(await belfry(home, ['reply', 'without', 'x'], { env })).toMatchObject({ code: 4, stdout: '' });
});

test('an event, a delivery or a session by the beginning of its id; other clients are answered in their terminals', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const home = await homeWith([
    madeEvent({ id: '0197-aaaa-1', sessionId: 'session-2', agent: 'droid' }),
    madeEvent({ id: '0197-aaaa-2', sessionId: 'local', agent: 'claude' }),
    madeEvent({ id: '0197-bbbb-1', sessionId: 'session-1', agent: 'service', at: NOON - 1 }),
    madeEvent({ id: '0197-bbbb-2', sessionId: 'session-2', agent: 'droid' }),
  ]);
  const store = await openStore(pathsBelow(home).database);
  await store.addDelivery(madeDelivery({ id: 'dlv_abcdef', eventId: '0197-bbbb-1' }));
  for (const sessionId of ['session-2', 'session-1'])
    await keepSession(store, madeSession({ agent: 'droid', sessionId }));
  await store.close();
  const env = { BELFRY_API_BASE_URL: sandbox.baseUrl, BELFRY_API_KEY: sandbox.apiKey };
  const cases: readonly (readonly [id: string, code: number, to: string | RegExp])[] = [
    ['0197-aaaa-1', 0, 'session-2'],
    ['0197-bbbb-1', 0, 'session-1'],
    ['dlv_abc', 0, 'session-1'],
    ['session-2', 0, 'session-2'],
    ['0197', 2, /more than one id begins with "0197": type more of it/],
    ['session-', 2, /more than one id begins with/],
    ['0197-aaaa-2', 2, /session of Claude is at its terminal.*`belfry install claude --answer`.*\(nothing was sent\)/],
    ['0199', 4, /no event has the id "0199": .*; nothing was sent/],
  ];
  for (const [id, code, to] of cases) {
    const ran = await belfry(home, ['reply', id, 'Go on', '--json'], { env });
    expect([id, ran.code, ran.stderr]).toEqual([id, code, code === 0 ? '' : expect.stringMatching(to)]);
    if (code === 0) expect(JSON.parse(ran.stdout)).toMatchObject({ sessionId: to });
  }
});

// `belfry reply`: posts to the session an event came from, as the journal has it.
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { madeEvent } from '../support/made.ts';
import { belfry } from '../support/programs.ts';
import { onTestFinished } from 'vitest';

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
    });
    const told = [{ event, fingerprint: null, verdicts: [] }];
    const timers = { set: [], clear: [] };
    await store.decide({ entryId: event.id, at: event.at, events: told, deliveries: [], timers, sessions: [] });
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
  expect(await belfry(home, ['reply', 'without', 'x'], { env })).toMatchObject({ code: 2, stdout: '' });
});

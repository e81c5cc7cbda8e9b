// Ids as they are typed: a number of `belfry pending` is the event, or the session, of what was listed under it.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readRows } from '../../../src/cli/commands/pending/rows.ts';
import { eventOf, meant, sessionNamed } from '../../../src/cli/reading/with-store.ts';
import { notificationIdOf, sessionKeyText } from '../../../src/model/ids.ts';
import { openStore } from '../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeEvent, madeNotification, madeSession } from '../../support/made.ts';
import { commitOne, keepSession } from '../../support/store-writes.ts';

const NOW = Date.now();

/** A prompt that nobody is notified of (1), then what a session waits for (2), then a message of no session (3); listed once. */
async function listed() {
  const home = temporaryFolder();
  vi.stubEnv('BELFRY_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const paths = pathsBelow(home);
  mkdirSync(dirname(paths.database), { recursive: true });
  const store = await openStore(paths.database);
  onTestFinished(() => store.close());
  const of = (id: string, sessionId: string | null, at: number) =>
    madeEvent({ id, sessionId, kind: 'agent.waiting', at });
  const [asked, waits, sent] = [
    of('event-a', 'session-a', NOW),
    of('event-b', 'session-b', NOW),
    of('event-c', null, NOW + 1),
  ];
  for (const event of [asked, waits, sent]) {
    const made = madeNotification({ id: notificationIdOf(event.id), eventIds: [event.id], createdAt: event.at });
    const events = [{ event, fingerprint: null, verdicts: [] }];
    const notifications = event === asked ? [] : [made];
    await commitOne(store, madeDecision({ entryId: event.id, at: NOW, events, deliveries: [], notifications }));
  }
  const session = madeSession({ ...asked, sessionId: 'session-a' });
  await keepSession(store, session);
  await store.putQuestion({
    id: 'qst_a',
    notificationId: notificationIdOf('event-a'),
    sessionKey: sessionKeyText(session),
    kind: 'permission',
    subject: null,
    inputHash: 'of the input',
    nonce: 'nonce',
    deadline: NOW + 3_600_000,
  });
  expect((await readRows(store, paths)).map(({ id, number }) => [number, id])).toEqual([
    [1, 'qst_a'],
    [2, notificationIdOf('event-b')],
    [3, notificationIdOf('event-c')],
  ]);
  return { store, paths };
}

test('a number is the event of what `pending` listed, also where nobody was notified', async () => {
  const { store } = await listed();
  for (const [number, id] of [
    ['1', 'event-a'],
    ['2', 'event-b'],
    ['3', 'event-c'],
  ] as const) {
    expect((await eventOf(store, number)).event.id).toBe(id);
    expect(await meant(store, number)).toMatchObject({ event: { event: { id } }, delivery: null });
  }
  await expect(eventOf(store, '4')).rejects.toMatchObject({
    exit: 4,
    message: 'nothing has the number 4: numbers are those that `belfry pending` shows',
  });
});

test('a number is a session, unless one of this id was seen or nothing has the number', async () => {
  const { store } = await listed();
  expect(await sessionNamed(store, '1')).toBe('session-a');
  expect(await sessionNamed(store, '2')).toBe('session-b');
  await expect(sessionNamed(store, '3')).rejects.toMatchObject({
    exit: 4,
    message: expect.stringContaining('number 3 of `belfry pending` belongs to no session'),
  });
  expect(await sessionNamed(store, '4')).toBe('4');
  await keepSession(store, madeSession({ sessionId: '1' }));
  expect(await sessionNamed(store, '1')).toBe('1');
});

// Schema 5 from 3 and 4: rows of the version before keep their ids and go out; stored names are those of the model.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { notificationIdOf, sessionKeyText } from '../../src/model/ids.ts';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';
import { migrate, versionOf } from '../../src/store/sqlite/engine/migrate.ts';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { temporaryFolder } from '../support/home.ts';
import { NOON } from '../support/made.ts';
import { timersDue } from '../support/timers.ts';

const fixture = (version: number): string =>
  new URL(`../fixtures/store/schema-${version}.db`, import.meta.url).pathname;

async function upgraded(version: number) {
  const file = join(temporaryFolder(), 'belfry.db');
  copyFileSync(fixture(version), file);
  const said: string[] = [];
  const store = await openStore(file, { log: (line) => said.push(line) });
  onTestFinished(() => store.close());
  expect(said.at(-1)).toBe(`database brought to schema ${MIGRATIONS.length}`);
  return store;
}

test('sessions that another one began are found as such', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  copyFileSync(fixture(4), file);
  const db = openConnection(file);
  expect(db.run(`UPDATE sessions SET record = json_set(record, '$.parentSessionId', 'one')`)).toBeGreaterThan(0);
  db.close();
  const store = await openStore(file);
  onTestFinished(() => store.close());
  expect(await store.sessions({ parent: 'one' })).toEqual(await store.sessions({}));
});

test('what expired while it was held is open again', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  copyFileSync(fixture(4), file);
  const db = openConnection(file);
  migrate(db, file, () => undefined, MIGRATIONS.slice(0, 10), false);
  db.run(`UPDATE notifications SET state = 'expired', notification = json_set(notification, '$.state', 'expired')`);
  db.run(`UPDATE deliveries SET held_by = 'mute:1', scheduled = 1, head = 0 WHERE id = 'delivery-1'`);
  db.close();
  const store = await openStore(file);
  onTestFinished(() => store.close());
  const [held] = await store.deliveries({ heldBy: 'mute:1' });
  const open = await store.notifications({ states: ['open'] });
  expect(open.map(({ id, state }) => [id, state])).toEqual([[held?.notificationId, 'open']]);
  expect((await store.counts()).notifications.expired).toBeGreaterThan(0);
});

test('what may be followed begins with a version; what was said of being away is kept', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  copyFileSync(fixture(4), file);
  const db = openConnection(file);
  migrate(db, file, () => undefined, MIGRATIONS.slice(0, 12), false);
  const away = { since: NOON, until: NOON + 9 };
  db.run(`INSERT INTO cursors (key, value) VALUES ('away', ?), ('other', '1')`, JSON.stringify(away));
  const mute = { id: 'm', until: null, session: null, cwd: null, channel: null, all: false, createdAt: NOON };
  db.run(`INSERT INTO silences (id, until, silence) VALUES ('m', NULL, ?)`, JSON.stringify(mute));
  db.close();
  const store = await openStore(file);
  onTestFinished(() => store.close());
  expect(await store.machine()).toEqual({ version: 1, state: away });
  expect([await store.cursor('away'), await store.cursor('other')]).toEqual([null, 1]);
  expect(await store.silences(NOON)).toContainEqual({ ...mute, version: 1 });
  const events = await store.events({});
  expect(events.length).toBeGreaterThan(0);
  expect(events.every(({ version }) => version === 1)).toBe(true);
  expect((await store.pendingEntries(10)).entries.length).toBeGreaterThan(0);
});

test('a notification that is damaged stops no step of those from schema 8 on', async () => {
  const file = join(temporaryFolder(), 'belfry.db');
  copyFileSync(fixture(4), file);
  const db = openConnection(file);
  onTestFinished(() => db.close());
  migrate(db, file, () => undefined, MIGRATIONS.slice(0, 8), false);
  db.exec('PRAGMA ignore_check_constraints = ON');
  for (const [table, column] of [
    ['notifications', 'notification'],
    ['deliveries', 'content'],
    ['deliveries', 'last'],
    ['events', 'event'],
    ['sessions', 'record'],
    ['timers', 'timer'],
    ['attempts', 'attempt'],
  ] as const)
    expect(db.run(`UPDATE ${table} SET ${column} = substr(${column}, 2) WHERE ${column} IS NOT NULL`)).toBeGreaterThan(
      0,
    );
  db.exec('PRAGMA ignore_check_constraints = OFF');
  db.run(`UPDATE notifications SET state = 'expired'`);
  db.run(`UPDATE deliveries SET held_by = 'mute:1', scheduled = 1, head = 0 WHERE id = 'delivery-1'`);
  migrate(db, file, () => undefined, MIGRATIONS, false);
  expect(versionOf(db)).toBe(MIGRATIONS.length);
});

test.each([3, 4])('a database of schema %i', async (version) => {
  const store = await upgraded(version);
  const key = { ...HERE, agent: 'generic', sessionId: 's\0 1' };
  const all = await store.deliveries({});
  expect(all.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'delivery-0 paused',
    'delivery-1 pending',
    'delivery-2 pending',
    'delivery-3 sent',
    'delivery-4 superseded',
    'delivery-5 cancelled',
  ]);
  expect(all[0]).toMatchObject({
    notificationId: notificationIdOf('event-0000'),
    threadKey: sessionKeyText(key),
    operation: 'send',
    revision: 1,
    step: 0,
    scheduled: false,
    unless: 'none',
    only: 'always',
    receipt: null,
    owner: null,
    token: null,
    attempts: 1,
    failures: 1,
    lastReason: 'server',
    content: { events: ['event-0000'], event: { ...HERE, place: null, presetText: null } },
  });
  expect(all[0]?.content.event).not.toHaveProperty('extra');
  expect(await store.attempts('delivery-0')).toMatchObject([{ next: 'paused until the channel accepts again' }]);
  // delivery-1 waits behind delivery-0 of its line.
  const claimed = await store.claim('team', { now: NOON + 1e6, leaseMs: 1, limit: 10 });
  expect(claimed.map(({ id }) => id)).toEqual(['delivery-2']);
  await store.transition({ from: ['paused'] }, 'pending', NOON);
  expect((await store.claim('team', { now: NOON, leaseMs: 1, limit: 10 })).map(({ id }) => id)).toEqual(['delivery-0']);
  expect(await store.notifications({ states: ['open'] })).toMatchObject(
    [0, 1, 2].map((i) => ({ id: notificationIdOf(`event-000${i}`), eventIds: [`event-000${i}`], version: 1 })),
  );
  const stored = await store.event('event-0004');
  expect(stored?.event).toMatchObject({
    ...HERE,
    presetText: { title: 'Watch', body: 'It changed' },
    attributes: { last_assistant_message: 'done', seconds: 5 },
  });
  expect(stored?.event).not.toHaveProperty('words');
  expect(stored?.verdicts.map(({ stage, verdict }) => `${stage} ${verdict}`)).toEqual([
    'classify pass',
    'session pass',
    'correlate pass',
    'route route',
  ]);
  const record = await store.session({ ...key, sessionId: 'session-2' });
  expect(record).toMatchObject({
    ...HERE,
    version: 1,
    finishedSincePrompt: NOON,
    lastAssistantMessage: 'said',
    memory: { held: { id: 'event-0002' }, openRequests: [{ key: 'k' }], end: { exitedQuietly: true } },
  });
  expect(Object.keys(record ?? {})).not.toEqual(expect.arrayContaining(['marks']));
  expect(await timersDue(store)).toMatchObject([
    {
      id: `hold:${sessionKeyText({ ...key, sessionId: 'session-2' })}`,
      data: { ...HERE, agent: 'generic', session: 'session-2', event: 'event-0002' },
    },
  ]);
  expect(await store.health()).toMatchObject([{ channel: 'desk', pausedUntil: NOON + 5 }]);
  const { entries: undecided } = await store.pendingEntries(10);
  expect(undecided.map(({ id }) => id).sort()).toEqual(['undecided-1', 'undecided-2']);
  const own = undecided.find(({ id }) => id === 'undecided-2');
  expect(JSON.parse(own?.header ?? '')).toMatchObject({
    event: { presetText: { title: 'Watch' }, attributes: { channel: 'x' } },
  });
});

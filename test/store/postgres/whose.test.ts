// Whose rows are: of organizations, machines, persons and teams that share a database, and of a database that was brought back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type HubStore, openHubStore } from '../../../src/store/postgres/open.ts';
import { CLAIM, ended } from '../../contracts/store/driver.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeDelivery, madeEvent, madeNotification, madeSession, NOON } from '../../support/made.ts';
import { usePostgres } from '../../support/postgres.ts';
import { settleOne } from '../../support/store-writes.ts';

const postgres = usePostgres();

async function open(database: string, org = 1): Promise<HubStore> {
  const store = await openHubStore({ url: postgres.url(database), owner: 'one', org, max: 3, now: () => NOON });
  onTestFinished(() => store.close());
  return store;
}

/** The same ids, whoever has them; only the deliveries' are made from whose they are. */
const decided = (machine: string, person: string | null, team: string | null) =>
  madeDecision({
    of: { machine, person, team },
    events: [{ event: madeEvent({ message: machine }), fingerprint: 'f', verdicts: [] }],
    notifications: [madeNotification({ title: machine })],
    deliveries: [madeDelivery({ id: `of ${machine}` })],
    sessions: [madeSession({ title: machine })],
  });

test('two machines with the same ids have their own rows, lines and receipts', async () => {
  const store = await open(await postgres.database());
  expect(await store.commit([decided('a', 'ann', null), decided('b', 'bob', null)])).toEqual(['written', 'written']);
  expect(await store.commit([decided('b', 'bob', null)])).toEqual(['already']);
  const claimed = await store.claim('team', CLAIM);
  expect(claimed.map(({ id, machine, notification }) => [id, machine, notification?.title])).toEqual([
    ['of a', 'a', 'a'],
    ['of b', 'b', 'b'],
  ]);
  for (const { id, token, machine } of claimed) await settleOne(store, id, token, ended('sent', { receipt: machine }));
  const message = { notificationId: 'ntf_0001', channel: 'team', step: 0 };
  for (const machine of ['a', 'b']) {
    expect(await store.latestReceipt({ ...message, machine })).toBe(machine);
    expect((await store.reader({ scope: 'all', machine }).notification('ntf_0001'))?.title).toBe(machine);
  }
  // What one takes back stays with the other.
  const cancel = [{ notificationId: 'ntf_0001', because: 'superseded' as const }];
  await store.addDelivery(madeDelivery({ id: 'more of a' }), { machine: 'a', person: null, team: null });
  const taking = madeDecision({ entryId: 'take', of: { machine: 'b', person: 'bob', team: null }, events: [], cancel });
  await store.commit([taking]);
  const [more] = await store.reader({ scope: 'all', machine: 'a' }).deliveries({ ids: ['more of a'] });
  expect(more?.state).toBe('pending');
});

test('a scope gives what is of its persons and teams, in lists, alone and counted; another organization has none of it', async () => {
  const database = await postgres.database();
  const store = await open(database);
  await store.commit([decided('a', 'ann', 'payments'), decided('b', 'bob', 'payments'), decided('c', 'cid', null)]);
  const seenBy = async (of: HubStore, ofPersons: readonly string[], ofTeams: readonly string[]) => {
    const reader = of.reader({ scope: { ofPersons, ofTeams }, machine: null });
    const [notifications, events, sessions, deliveries, counts] = await Promise.all([
      reader.notifications({}),
      reader.events({}),
      reader.sessions({}),
      reader.deliveries({}),
      reader.counts(),
    ]);
    const titles = notifications.map(({ title }) => title).sort();
    expect(events.map(({ event }) => event.message).sort()).toEqual(titles);
    expect(sessions.map(({ title }) => title).sort()).toEqual(titles);
    expect(deliveries.map(({ id }) => id).sort()).toEqual(titles.map((title) => `of ${title}`));
    expect([counts.events, counts.notifications.open, counts.deliveries.pending]).toEqual(
      [1, 1, 1].map((n) => n * titles.length),
    );
    expect((await reader.notification('ntf_0001')) !== null).toBe(titles.length > 0);
    return titles.join(' ');
  };
  expect(await seenBy(store, ['ann'], [])).toBe('a');
  expect(await seenBy(store, ['cid'], ['payments'])).toBe('a b c');
  expect(await seenBy(store, [], ['payments'])).toBe('a b');
  expect(await seenBy(store, [], [])).toBe('');
  expect(await seenBy(await open(database, 2), ['ann', 'bob', 'cid'], ['payments'])).toBe('');
  expect(await (await open(database, 2)).claim('team', CLAIM)).toEqual([]);
});

test('who followed a database that was brought back from a dump, or forgets what is old, reads everything again', async () => {
  const database = await postgres.database();
  const store = await open(database);
  const feed = store.reader({ scope: 'all', machine: null });
  const { cursor } = await feed.changesSince(null, 0);
  await store.commit([decided('a', null, null)]);
  const seen = await feed.changesSince(cursor, 100);
  expect([seen.reset, seen.changes.length]).toEqual([false, 4]);
  expect(await store.forgetChanges(Date.now() + 60_000)).toBe(4);
  expect(await feed.changesSince(cursor, 100)).toMatchObject({ changes: [], reset: true });
  expect(await feed.changesSince(seen.cursor, 100)).toMatchObject({ changes: [], reset: false });
  // A dump has the unlogged rows, too, with the feed's name and the numbers of transactions that are none here.
  const file = join(temporaryFolder(), 'dump.sql');
  writeFileSync(file, postgres.run('pg_dump', database));
  const restored = await postgres.database('empty');
  postgres.run('psql', '-q', '-d', restored, '-f', file);
  const again = (await open(restored)).reader({ scope: 'all', machine: null });
  expect(await again.changesSince(seen.cursor, 100)).toMatchObject({ changes: [], reset: true });
  expect((await again.events({})).length).toBe(1);
});

test('a cursor from beyond all transactions of the server is told to begin again', async () => {
  const feed = (await open(await postgres.database())).reader({ scope: 'all', machine: null });
  const { cursor } = await feed.changesSince(null, 0);
  const [epoch, xid] = cursor.split(':');
  expect(await feed.changesSince(`${epoch}:${Number(xid) + 1_000_000}`, 10)).toMatchObject({
    changes: [],
    reset: true,
  });
});

// The schema of a hub: made once, by whichever replica is first; and the days of events.
import { expect, onTestFinished, test } from 'vitest';
import { type Connection, connect } from '../../../src/store/postgres/connection.ts';
import { dropPartitions, makePartitions, migrate } from '../../../src/store/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/store/postgres/migrations/index.ts';
import { hubStore, openHubStore } from '../../../src/store/postgres/open.ts';
import { madeDecision, madeEvent, NOON } from '../../support/made.ts';
import { usePostgres } from '../../support/postgres.ts';

const postgres = usePostgres();
const DAY = 86_400_000;

function connected(database: string): Connection {
  const db = connect({ url: postgres.url(database) });
  onTestFinished(() => db.close());
  return db;
}

test('of several replicas that begin with an empty database one makes the schema, and the others find it made', async () => {
  const database = await postgres.database('empty');
  const before = await Promise.all([1, 2, 3].map(() => migrate(connected(database))));
  expect(before.sort()).toEqual([0, MIGRATIONS.length, MIGRATIONS.length]);
});

test('a schema that is not there or too new is refused, and one release ahead is not', async () => {
  const database = await postgres.database('empty');
  const db = connected(database);
  const open = async (): Promise<void> => {
    const store = await openHubStore({ url: postgres.url(database), owner: 'a' });
    await store.close();
  };
  await expect(open()).rejects.toThrow('start one replica with --migrate');
  await migrate(db);
  await open();
  for (const ahead of [1, 2])
    await db.read('INSERT INTO schema_version (version) VALUES ($1)', [MIGRATIONS.length + ahead]);
  await expect(open()).rejects.toThrow('update this replica');
  await db.read('DELETE FROM schema_version WHERE version = $1', [MIGRATIONS.length + 2]);
  await open();
});

test('events lie in the partitions of their days, those of wrong clocks apart, and whole days go at once', async () => {
  const db = connected(await postgres.database());
  const store = hubStore(db, { owner: 'a' });
  const ats = { today: NOON, tomorrow: NOON + DAY, 1970: 5, 2035: Date.UTC(2035, 0, 1) };
  const events = Object.entries(ats).map(([id, at]) => ({
    event: madeEvent({ id, at }),
    fingerprint: null,
    verdicts: [],
  }));
  await store.commit([madeDecision({ events })]);
  const places = async () =>
    (await db.read('SELECT tableoid::regclass::text AS part, id FROM event ORDER BY id')).map(
      ({ part, id }) => `${id} ${part}`,
    );
  expect(await places()).toEqual([
    '1970 event_default',
    '2035 event_default',
    'today event_20260601',
    'tomorrow event_20260602',
  ]);
  // A day of which events came before its partition was made stays where they are.
  await makePartitions(db, ats[2035]);
  expect(await dropPartitions(db, NOON + DAY)).toEqual(['event_20260531', 'event_20260601']);
  expect(await places()).toEqual(['2035 event_default', 'tomorrow event_20260602']);
  expect(await store.reader({ scope: 'all', machine: null }).event('today')).toBeNull();
});

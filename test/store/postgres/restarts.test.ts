// The database ends as by a power failure while replicas are at work: none of them does, and nothing is lost.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type HubStore, openHubStore } from '../../../src/store/postgres/open.ts';
import { CLAIM, ended } from '../../contracts/store/driver.ts';
import { madeDecision, madeDelivery, madeEvent, madeNotification, madeSession, NOON } from '../../support/made.ts';
import { usePostgres } from '../../support/postgres.ts';
import { until } from '../../support/wait.ts';

const postgres = usePostgres();
const SESSIONS = 12;
const TURNS = 40;
const LEASE_MS = 1_000;

/** One turn of a session: its event, its row, a notification with one delivery. */
function turnOf(session: number, turn: number) {
  const id = `s${session}-${String(turn).padStart(3, '0')}`;
  const threadKey = `box/dev/generic/s${session}`;
  return madeDecision({
    entryId: id,
    events: [{ event: madeEvent({ id, sessionId: `s${session}` }), fingerprint: null, verdicts: [] }],
    notifications: [madeNotification({ id: `ntf_${id}`, threadKey, eventIds: [id] })],
    deliveries: [madeDelivery({ id, eventId: id, notificationId: `ntf_${id}`, threadKey })],
    sessions: [madeSession({ sessionId: `s${session}`, version: turn })],
  });
}

test('three restarts under load: all that was acknowledged is there, every line in order, and followers are told to read again', async () => {
  const url = postgres.url(await postgres.database());
  const open = async (owner: string): Promise<HubStore> => {
    const store = await openHubStore({ url, owner, max: 4, now: () => NOON });
    onTestFinished(() => store.close());
    return store;
  };
  const stores = [await open('one'), await open('two'), await open('three')];
  const reader = stores[0]?.reader({ scope: 'all', machine: null });
  const { cursor } = (await reader?.changesSince(null, 0)) ?? { cursor: '' };
  let failures = 0;
  let committed = 0;
  const insist = async <T>(work: () => Promise<T>): Promise<T> =>
    until(async () => {
      try {
        return { result: await work() };
      } catch {
        failures++;
        return null;
      }
    }, 'the database to be back').then(({ result }) => result);
  const writing = Array.from({ length: SESSIONS }, async (_, session) => {
    const store = stores[session % stores.length];
    for (let turn = 0; turn < TURNS; turn++) {
      // Acknowledged or not: what was committed before an answer was lost is known when it is sent again.
      const [result] = (await insist(() => store?.commit([turnOf(session, turn)]) ?? Promise.resolve([]))) ?? [];
      expect(result === 'written' || result === 'already').toBe(true);
      committed++;
    }
  });
  const sent: string[] = [];
  const sending = stores.map(async (store, replica) => {
    // Leases of what was on its way when a replica lost its database run out, by this clock.
    for (let now = NOON; new Set(sent).size < SESSIONS * TURNS; now += LEASE_MS / 4)
      await insist(async () => {
        const claimed = await store.claim('team', { ...CLAIM, now: now + replica, leaseMs: LEASE_MS, limit: 20 });
        sent.push(...claimed.map(({ id }) => id));
        await store.settle(
          claimed.map(({ id, token }) => ({
            deliveryId: id,
            token,
            ...ended('sent'),
            attempt: { ...ended('sent').attempt, deliveryId: id },
          })),
        );
        await new Promise((resolve) => setTimeout(resolve, claimed.length === 0 ? 25 : 0)); // gives way, and waits for nothing
      });
  });
  for (const share of [0.2, 0.5, 0.8]) {
    await until(() => committed > SESSIONS * TURNS * share, 'some turns');
    await postgres.crash();
  }
  await Promise.all([...writing, ...sending]);
  expect(failures).toBeGreaterThan(0); // the restarts were noticed
  const counts = await reader?.counts();
  expect([counts?.events, counts?.notifications.open]).toEqual([SESSIONS * TURNS, SESSIONS * TURNS]);
  for (let session = 0; session < SESSIONS; session++) {
    // A repeat is of what was in flight; without repeats the order is that of the turns.
    const line = [...new Set(sent.filter((id) => id.startsWith(`s${session}-`)))];
    expect(line).toEqual(line.toSorted());
  }
  await until(async () => (await reader?.counts())?.deliveries.sent === SESSIONS * TURNS, 'all to be settled');
  expect(await reader?.changesSince(cursor, 10)).toMatchObject({ changes: [], reset: true });
});

test('control: a pool that nobody listens to ends its process when the database does', async () => {
  const url = postgres.url(await postgres.database());
  const wait = `const pg = (await import('pg')).default; const pool = new pg.Pool({ connectionString: process.argv[1], application_name: 'control' });`;
  const script = `${wait} await pool.query('SELECT 1'); setInterval(() => undefined, 1_000);`;
  const control = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, url]);
  const ending = control.then(
    () => 'went on',
    (error: { readonly stderr: string }) => error.stderr,
  );
  const client = new pg.Client(url);
  await client.connect();
  const idle = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'control' AND state = 'idle'`;
  await until(async () => (await client.query(idle)).rows.length > 0, 'the control to have a connection');
  await client.end();
  await postgres.crash();
  expect(await ending).toContain("Unhandled 'error' event");
});

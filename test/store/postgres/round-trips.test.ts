// How often a replica waits for its database.
import { expect, onTestFinished, test } from 'vitest';
import { notificationIdOf, sessionKeyText } from '../../../src/model/ids.ts';
import { ENDED_BY_SESSION } from '../../../src/model/notification/notification.ts';
import { openHubStore } from '../../../src/store/postgres/open.ts';
import { CLAIM, ended } from '../../contracts/store/driver.ts';
import {
  madeDecision,
  madeDelivery,
  madeEvent,
  madeNotification,
  madeSession,
  NOON,
  SESSION,
} from '../../support/made.ts';
import { usePostgres } from '../../support/postgres.ts';
import { countRoundTrips } from '../../support/round-trips.ts';

const postgres = usePostgres();
const BATCH = 64;

test('64 facts are decided in four round trips, a claim of 100 is one, and settling them three', async () => {
  const proxy = await countRoundTrips(postgres.port());
  const url = postgres.url(await postgres.database()).replace(String(postgres.port()), String(proxy.port));
  const store = await openHubStore({ url, owner: 'one', max: 1, now: () => NOON });
  onTestFinished(() => store.close());
  const trips = async (work: () => Promise<unknown>): Promise<number> => {
    const before = proxy.count();
    await work();
    return proxy.count() - before;
  };
  const facts = Array.from({ length: BATCH }, (_, n) => {
    // Of 60 sessions, so that four of them are there twice.
    const of = { machine: `machine ${n % 7}`, person: 'ann', team: 'payments' };
    const session = { ...SESSION, sessionId: `s${n % 60}` };
    const threadKey = sessionKeyText(session);
    const id = `e${n}`;
    return { n, of, session, threadKey, id, notificationId: notificationIdOf(id) };
  });
  const keys = facts.map(({ of, session, id }) => ({
    ...{
      machine: of.machine,
      eventId: id,
      now: NOON,
      session,
      same: null,
      byOthers: null,
      children: null,
      ends: ENDED_BY_SESSION,
    },
    ...{ events: () => [], sends: { since: NOON, least: 0, most: 100 } },
  }));
  const decisions = facts.map(({ n, of, session, threadKey, id, notificationId }) =>
    madeDecision({
      ...{ entryId: id, of, events: [{ event: madeEvent({ id, ...session }), fingerprint: id, verdicts: [] }] },
      notifications: [madeNotification({ id: notificationId, threadKey, eventIds: [id] })],
      deliveries: ['team', 'desk'].map((channel) =>
        madeDelivery({ id: `${id} ${channel}`, channel, eventId: id, notificationId, threadKey }),
      ),
      timers: {
        set: [{ id: `remind:${notificationId}`, kind: 'remind', due: NOON + n, data: {} }],
        clear: [`hold:${id}`],
      },
      // The second of a session is decided from what the first has left.
      sessions: [madeSession({ ...session, version: n < 60 || n % 7 !== (n - 60) % 7 ? 0 : 1 })],
    }),
  );
  let results: readonly string[] = [];
  const decided = await trips(async () => {
    await store.factsFor(keys);
    results = await store.commit(decisions);
  });
  expect(results).toEqual(Array.from({ length: BATCH }, () => 'written'));
  expect(decided).toBeLessThanOrEqual(4);
  let claimed: Awaited<ReturnType<typeof store.claim>> = [];
  const claiming = async (): Promise<void> => {
    claimed = await store.claim('team', { ...CLAIM, limit: 100 });
  };
  expect(await trips(claiming)).toBe(1);
  expect(claimed.length).toBe(BATCH); // each is of a line of its own: machines share no session
  expect(
    await trips(() => store.settle(claimed.map(({ id, token }) => ({ deliveryId: id, token, ...ended('sent') })))),
  ).toBe(3);
});

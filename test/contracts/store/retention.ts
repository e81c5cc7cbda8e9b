// How every store keeps its bound: each table has its share of it, and nothing goes that somebody still needs.
import { describe, expect, test } from 'vitest';
import { notificationIdOf, sessionKeyText } from '../../../src/model/ids.ts';
import type { NotificationState } from '../../../src/model/notification/notification.ts';
import type { Store } from '../../../src/store/contract.ts';
import {
  madeDecision,
  madeDelivery,
  madeEntry,
  madeEvent,
  madeNotification,
  madeSession,
  NOON,
  WHERE,
} from '../../support/made.ts';
import { commitOne, keepSession } from '../../support/store-writes.ts';
import { alone, type StoreDriver } from './driver.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AGES = { maxAgeMs: 30 * DAY, rawAgeMs: DAY, deadAgeMs: 30 * DAY };
const RECENT = NOON + DAY;

interface Filled {
  readonly state: NotificationState;
  /** Texts of notifications have so many characters, events four times as many. */
  readonly size: number;
}

const eventId = (n: number): string => `event-${String(n).padStart(5, '0')}`;

/** So many events, each of a session of its own, with its entry, its notification and a delivery that was sent. */
async function fill(store: Store, from: number, to: number, { state, size }: Filled): Promise<void> {
  for (let n = from; n < to; n += 100)
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const id = eventId(n + i);
        const key = { ...WHERE, agent: 'generic', sessionId: `s-${n + i}` };
        const at = NOON + n + i;
        const event = madeEvent({ id, at, sessionId: key.sessionId, message: 'x'.repeat(4 * size) });
        const of = { notificationId: notificationIdOf(id), threadKey: sessionKeyText(key) };
        const notification = madeNotification({
          id: of.notificationId,
          threadKey: of.threadKey,
          eventIds: [id],
          state,
          title: 'x'.repeat(size),
          createdAt: at,
          updatedAt: at,
        });
        await store.append(madeEntry({ id, startedAt: at, receivedAt: at, raw: null }));
        await commitOne(
          store,
          madeDecision({
            entryId: id,
            at,
            events: [{ event, fingerprint: null, verdicts: [] }],
            notifications: [notification],
            deliveries: [madeDelivery({ ...of, id, eventId: id, state: 'sent', createdAt: at, updatedAt: at })],
            sessions: [madeSession({ ...key, state: state === 'open' ? 'waiting' : 'ended', lastEvent: at })],
          }),
        );
      }),
    );
}

async function kept(store: Store) {
  const { events, notifications, deliveries, bytes } = await store.counts();
  const sessions = await store.sessions({});
  return { events, open: notifications.open, over: notifications.resolved, sent: deliveries.sent, sessions, bytes };
}

/** The numbers, below so many, of the entries that are kept. */
async function entries(store: Store, below: number): Promise<readonly number[]> {
  const found = await Promise.all(
    Array.from({ length: below }, async (_, n) => (await store.entry(eventId(n))) !== null),
  );
  return found.flatMap((isKept, n) => (isKept ? [n] : []));
}

/** The number of the oldest event that is kept from a number on. */
async function oldestFrom(store: Store, from: number): Promise<number> {
  for (let n = from; ; n++) if ((await store.event(eventId(n))) !== null) return n;
}

/** Part of the suite of a role. */
export function testRetention(driver: StoreDriver<Store>): void {
  describe(`retention of store: ${driver.name}`, () => {
    test('beyond the bound the oldest of every table go, and each keeps some', async () => {
      const store = await alone(driver);
      await fill(store, 0, 2_000, { state: 'resolved', size: 300 });
      const before = await kept(store);
      const maxBytes = before.bytes / 2;
      // Changes carry the machine's time: these are past too.
      const now = Math.max(RECENT, store.now() + 1);
      const ages = { maxAgeMs: 1e12, rawAgeMs: DAY, deadAgeMs: 1e12 };
      expect(await store.prune({ now, maxBytes, ...ages })).toMatchObject({ excess: 0 });
      const after = await kept(store);
      expect(after.bytes).toBeLessThanOrEqual(maxBytes);
      for (const count of [after.events, after.over, after.sent, after.sessions.length])
        expect(count).toBeGreaterThan(300);
      expect((await store.events({ limit: 1 })).map(({ event }) => event.id)).toEqual(['event-01999']);
      expect((await store.notifications({ limit: 1 }))[0]?.eventIds).toEqual(['event-01999']);
    });

    test('entries go with the events of their time: as far as those go, and no further', async () => {
      for (const unfinished of [0, 300]) {
        const store = await alone(driver);
        await fill(store, 0, unfinished, { state: 'open', size: 100 });
        await fill(store, unfinished, 1_500, { state: 'resolved', size: 100 });
        const { bytes } = await kept(store);
        await store.prune({ now: RECENT, maxBytes: 0.6 * bytes, ...AGES });
        const oldest = await oldestFrom(store, unfinished);
        expect(oldest).toBeGreaterThan(unfinished + 200);
        expect(oldest).toBeLessThan(1_300);
        // An entry that is as old as the last event that went may stay.
        const [first = 0, ...others] = await entries(store, 1_500);
        expect([oldest - 1, oldest]).toContain(first);
        expect(others.length).toBe(1_499 - first);
      }
    });

    test('where no event may go, the latest entries stay, which know what is repeated', async () => {
      const store = await alone(driver);
      await fill(store, 0, 600, { state: 'open', size: 100 });
      const now = NOON + 300 + HOUR;
      expect((await store.prune({ now, maxBytes: 1_000, ...AGES })).events).toBe(0);
      expect(await entries(store, 600)).toEqual(Array.from({ length: 300 }, (_, i) => 300 + i));
    });

    test('many entries that are not decided yet keep none behind them', async () => {
      const store = await alone(driver);
      for (let n = 0; n < 300; n++) await store.append(madeEntry({ id: `waits-${n}`, receivedAt: NOON - DAY }));
      await fill(store, 0, 100, { state: 'resolved', size: 10 });
      await store.prune({ now: NOON + 40 * DAY, maxBytes: 1e12, ...AGES });
      expect(await entries(store, 100)).toEqual([99]);
      expect(await store.undecided()).toBe(300);
    });

    test('entries of a clock that was ahead keep none behind them', async () => {
      const store = await alone(driver);
      for (let n = 0; n < 20; n++) {
        await store.append(madeEntry({ id: `ahead-${n}`, receivedAt: NOON + 900 * DAY }));
        await commitOne(store, madeDecision({ entryId: `ahead-${n}`, events: [] }));
      }
      await fill(store, 0, 1_000, { state: 'resolved', size: 10 });
      await store.prune({ now: NOON + 40 * DAY, maxBytes: 1e12, ...AGES });
      expect(await entries(store, 1_000)).toEqual([999]);
      expect(await store.entry('ahead-0')).not.toBeNull();
    });

    test('what many notifications take, that are open or over, costs events nothing of their share', async () => {
      for (const state of ['open', 'resolved'] as const) {
        const store = await alone(driver);
        await fill(store, 0, 300, { state: 'resolved', size: 50 });
        const history = (await kept(store)).bytes;
        const wide = { state, size: 2_000 };
        const events = (n: number) => ({ id: `wide-${n}`, eventIds: [`gone-${n}`], title: 'x'.repeat(wide.size) });
        for (let n = 0; n < 2_000; n += 100)
          await commitOne(
            store,
            madeDecision({
              entryId: `wide-${n}`,
              events: [],
              notifications: Array.from({ length: 100 }, (_, i) => madeNotification({ ...events(n + i), state })),
            }),
          );
        const maxBytes = 2 * history;
        const { excess } = await store.prune({ now: RECENT, maxBytes, ...AGES });
        const after = await kept(store);
        expect(after.events).toBeGreaterThan(250);
        expect(after.sent).toBeGreaterThan(250);
        if (state === 'open') expect([after.open, excess > 0]).toEqual([2_000, true]);
        else expect(after.bytes).toBeLessThanOrEqual(maxBytes);
      }
    });

    test('nothing goes that is open, unsent or of a session that lives, however small the bound', async () => {
      const store = await alone(driver);
      const { cursor: begin } = await store.changesSince(null, 0);
      await fill(store, 0, 100, { state: 'open', size: 300 });
      await fill(store, 100, 600, { state: 'resolved', size: 300 });
      await store.addDelivery(madeDelivery({ id: 'unsent', eventId: 'event-00300', state: 'paused', createdAt: NOON }));
      const { changes } = await store.changesSince(begin, 100_000);
      const { cursor } = await store.changesSince(begin, changes.length - 500);
      const { excess } = await store.prune({ now: RECENT, maxBytes: 1_000, ...AGES });
      expect(excess).toBeGreaterThan(0);
      const after = await kept(store);
      expect(after.open).toBe(100);
      expect(after.over).toBeLessThan(500);
      expect(after.sessions.filter(({ state }) => state === 'waiting')).toHaveLength(100);
      expect(after.sessions.filter(({ state }) => state === 'ended').length).toBeLessThan(500);
      expect(await store.event('event-00050')).not.toBeNull();
      expect(await store.event('event-00300')).not.toBeNull();
      expect(await store.event('event-00200')).toBeNull();
      expect((await store.deliveries({ states: ['paused'] })).map(({ id }) => id)).toEqual(['unsent']);
      // Whoever follows goes on.
      const followed = await store.changesSince(cursor, 1_000);
      expect([followed.reset, followed.changes.length]).toEqual([false, 500]);
    });

    test('a session that waits longer than the age allowed stays, one that ended goes', async () => {
      const store = await alone(driver);
      const process = { pid: 1, start: '1', name: 'claude' };
      const long = { lastEvent: NOON - 40 * DAY };
      await keepSession(store, madeSession({ ...long, sessionId: 'lives', process }));
      await keepSession(store, madeSession({ ...long, sessionId: 'ended', state: 'ended' }));
      await store.prune({ now: NOON, maxBytes: 1e12, ...AGES });
      expect((await store.sessions({})).map(({ sessionId }) => sessionId)).toEqual(['lives']);
    });
  });
}

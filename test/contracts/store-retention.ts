// How every store keeps its bound: each table has its share of it, and nothing goes that somebody still needs.
import { describe, expect, test } from 'vitest';
import { notificationIdOf, sessionKeyText } from '../../src/model/ids.ts';
import type { NotificationState } from '../../src/model/notification.ts';
import type { Store } from '../../src/store/contract.ts';
import { madeDecision, madeDelivery, madeEvent, madeNotification, madeSession, NOON, WHERE } from '../support/made.ts';

const DAY = 86_400_000;
const AGES = { maxAgeMs: 30 * DAY, rawAgeMs: DAY, deadAgeMs: 30 * DAY };
const RECENT = NOON + DAY;

interface Filled {
  readonly state: NotificationState;
  /** Texts of notifications have so many characters, events four times as many. */
  readonly size: number;
}

/** So many events, each of a session of its own, with its notification and a delivery that was sent. */
async function fill(store: Store, from: number, to: number, { state, size }: Filled): Promise<void> {
  for (let n = from; n < to; n += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const id = `event-${String(n + i).padStart(5, '0')}`;
        const key = { ...WHERE, agent: 'generic', sessionId: `s-${n + i}` };
        const at = NOON + n + i;
        const event = madeEvent({ id, at, sessionId: key.sessionId, message: 'x'.repeat(4 * size) });
        const of = { notificationId: notificationIdOf(id), threadKey: sessionKeyText(key) };
        const notification = madeNotification({
          ...{ id: of.notificationId, threadKey: of.threadKey, eventIds: [id], state, title: 'x'.repeat(size) },
          ...{ createdAt: at, updatedAt: at },
        });
        return store.commitDecision(
          madeDecision({
            ...{ entryId: id, at },
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

/** `open` gives an empty store that the test's end disposes of. */
export function testStoreRetention(engine: string, open: () => Promise<Store>): void {
  describe(`retention of store: ${engine}`, () => {
    test('beyond the bound the oldest of every table go, and each keeps some', async () => {
      const store = await open();
      await fill(store, 0, 2_000, { state: 'resolved', size: 300 });
      const before = await kept(store);
      const maxBytes = before.bytes / 2;
      expect(await store.prune({ now: RECENT, maxBytes, ...AGES })).toMatchObject({ excess: 0 });
      const after = await kept(store);
      expect(after.bytes).toBeLessThanOrEqual(maxBytes);
      for (const count of [after.events, after.over, after.sent, after.sessions.length])
        expect(count).toBeGreaterThan(300);
      expect((await store.events({ limit: 1 })).map(({ event }) => event.id)).toEqual(['event-01999']);
      expect((await store.notifications({ limit: 1 }))[0]?.eventIds).toEqual(['event-01999']);
    });

    test('what many notifications take, that are open or over, costs events nothing of their share', async () => {
      for (const state of ['open', 'resolved'] as const) {
        const store = await open();
        await fill(store, 0, 300, { state: 'resolved', size: 50 });
        const history = (await kept(store)).bytes;
        const wide = { state, size: 2_000 };
        const events = (n: number) => ({ id: `wide-${n}`, eventIds: [`gone-${n}`], title: 'x'.repeat(wide.size) });
        for (let n = 0; n < 2_000; n += 100)
          await store.commitDecision(
            madeDecision({
              ...{ entryId: `wide-${n}`, events: [] },
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
      const store = await open();
      await fill(store, 0, 100, { state: 'open', size: 300 });
      await fill(store, 100, 600, { state: 'resolved', size: 300 });
      await store.addDelivery(madeDelivery({ id: 'unsent', eventId: 'event-00300', state: 'paused', createdAt: NOON }));
      const { last } = await store.changesSince(0, 1);
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
      expect(await store.changesSince(last - 500, 1_000)).toMatchObject({ reset: false });
    });

    test('a session that waits longer than the age allowed stays, one that ended goes', async () => {
      const store = await open();
      const process = { pid: 1, start: '1', name: 'claude' };
      const long = { lastEvent: NOON - 40 * DAY };
      await store.putSession(madeSession({ ...long, sessionId: 'lives', process }));
      await store.putSession(madeSession({ ...long, sessionId: 'ended', state: 'ended' }));
      await store.prune({ now: NOON, maxBytes: 1e12, ...AGES });
      expect((await store.sessions({})).map(({ sessionId }) => sessionId)).toEqual(['lives']);
    });
  });
}

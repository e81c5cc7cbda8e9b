// What a store must know for a decision: the same as its single reads say, of each key that is asked for.
import { describe, expect, test } from 'vitest';
import { notificationIdOf, sessionKeyText } from '../../../src/model/ids.ts';
import { ENDED_BY_SESSION, LEFT_OPEN, MOST_OPEN } from '../../../src/model/notification/notification.ts';
import { NO_RETRIES } from '../../../src/model/delivery/delivery.ts';
import { factsOf } from '../../support/facts.ts';
import {
  madeDecision,
  madeDelivery,
  madeEvent,
  madeNotification,
  madeSession,
  NOON,
  SESSION,
} from '../../support/made.ts';
import { commitOne, keepSession } from '../../support/store-writes.ts';
import { alone, type StoreDriver } from './driver.ts';

const THREAD = sessionKeyText(SESSION);
const event = (id: string, more: Parameters<typeof madeEvent>[0] = {}) => ({
  event: madeEvent({ id, ...more }),
  fingerprint: null,
  verdicts: [],
});
const own = (id: string, more: Parameters<typeof madeNotification>[0] = {}) =>
  madeNotification({ id: notificationIdOf(id), eventIds: [id], threadKey: THREAD, ...more });

/** Part of the suite of a role. */
export function testFacts(driver: StoreDriver): void {
  describe(`facts of decisions: ${driver.name}`, () => {
    test('of nothing there is nothing', async () => {
      const store = await alone(driver);
      expect(await factsOf(store)).toEqual({
        record: null,
        children: [],
        silences: [],
        same: null,
        byOthers: [],
        open: [],
        surplus: [],
        known: new Map(),
        progress: [],
        firsts: new Map(),
        groups: [],
        groupTimers: new Map(),
        plannedSends: new Map(),
      });
      expect(await store.factsFor([])).toEqual([]);
    });

    test('a session: its row, the ones it began, the mutes in force', async () => {
      const store = await alone(driver);
      await keepSession(store, madeSession());
      const child = (sessionId: string, lastEvent: number, parentSessionId: string = SESSION.sessionId) =>
        keepSession(store, madeSession({ sessionId, parentSessionId, lastEvent }));
      await child('late', NOON + 2);
      await child('early', NOON + 1);
      await child('long ago', NOON - 1);
      await child('of another', NOON + 1, 'another');
      const silence = { session: null, cwd: null, channel: null, all: true, createdAt: NOON };
      await store.putSilence({ id: 'over', until: NOON, ...silence });
      await store.putSilence({ id: 'in force', until: NOON + 1, ...silence });
      const facts = await factsOf(store, { session: SESSION, children: { since: NOON } });
      expect(facts.record).toEqual(await store.session(SESSION));
      expect(facts.record).not.toBeNull();
      expect(facts.children.map(({ sessionId }) => sessionId)).toEqual(['early', 'late']);
      expect(facts.silences.map(({ id }) => id)).toEqual(['in force']);
      expect((await factsOf(store, { session: SESSION })).children).toEqual([]);
      expect((await factsOf(store, { session: { ...SESSION, host: 'another' } })).record).toBeNull();
    });

    test('what other agents reported of a session, oldest first, the latest of them', async () => {
      const store = await alone(driver);
      const events = [
        event('before', { at: NOON - 1, agent: 'other' }),
        event('one', { at: NOON, agent: 'other' }),
        event('two', { at: NOON + 1, agent: 'third' }),
        event('its own', { at: NOON + 1 }),
        event('another kind', { at: NOON + 1, agent: 'other', kind: 'session.ended' }),
        event('another session', { at: NOON + 1, agent: 'other', sessionId: 'another' }),
      ];
      await commitOne(store, madeDecision({ events }));
      const { agent, kind } = madeEvent();
      const byOthers = { agent, sessionId: SESSION.sessionId, kind, since: NOON, limit: 10 };
      const idsOf = async (limit: number) =>
        (await factsOf(store, { byOthers: { ...byOthers, limit } })).byOthers.map(({ id }) => id);
      expect(await idsOf(10)).toEqual(['one', 'two']);
      expect(await idsOf(1)).toEqual(['two']);
    });

    test('what a session has open, with its deliveries, events, groups and their timers', async () => {
      const store = await alone(driver);
      const group = madeNotification({
        id: 'ntf_group',
        threadKey: 'group:one',
        eventIds: ['a', 'elsewhere'],
        group: { kind: 'group', members: [] } as never, // of a group it matters here that it is one
      });
      const digest = madeNotification({ id: 'ntf_digest', threadKey: 'digest:one', eventIds: ['a', 'b'] });
      const over = own('over', { state: 'resolved' });
      await commitOne(
        store,
        madeDecision({
          events: [event('a'), event('b')],
          notifications: [
            own('b'),
            own('a', { state: 'acknowledged' }),
            over,
            own('else', { threadKey: 'x' }),
            group,
            digest,
          ],
          deliveries: [
            madeDelivery({ id: 'd1', notificationId: notificationIdOf('a'), threadKey: THREAD, createdAt: NOON + 1 }),
            madeDelivery({ id: 'd2', notificationId: over.id, threadKey: THREAD, createdAt: NOON + 2 }),
            madeDelivery({ id: 'd3', notificationId: notificationIdOf('else'), threadKey: 'x' }),
          ],
          timers: {
            set: [
              { id: 'group:one', kind: 'group', due: NOON + 5, data: {} },
              { id: 'digest:one', kind: 'digest', due: NOON + 6, data: {} },
            ],
            clear: [],
          },
        }),
      );
      const facts = await factsOf(store, { session: SESSION, eventId: 'over', events: () => ['else'] });
      expect(facts.open).toEqual(await store.notifications({ ids: [notificationIdOf('a'), notificationIdOf('b')] }));
      expect(facts.open.map(({ id }) => id)).toEqual([notificationIdOf('b'), notificationIdOf('a')]);
      expect([...facts.known.keys()].toSorted()).toEqual([over.id, notificationIdOf('else')].toSorted());
      expect(facts.known.get(over.id)).toEqual(await store.notification(over.id));
      const named = [...facts.open.map(({ id }) => id), ...facts.known.keys()];
      expect(facts.progress).toEqual(await store.deliveryProgress(named));
      expect(facts.progress).toHaveLength(3);
      expect(facts.firsts).toEqual(await store.eventsById(['a', 'b']));
      expect(facts.groups).toEqual(await store.notifications({ ids: ['ntf_group'] }));
      expect([...facts.groupTimers.values()]).toEqual(await store.timers(['group:one']));
      expect(facts.plannedSends).toEqual(await store.plannedSends(THREAD, { since: NOON, least: 0, most: 100 }));
      expect(facts.plannedSends.size).toBe(1);
    });

    test('what a session has open: of the kinds that matter, and the oldest, which give way together', async () => {
      const store = await alone(driver);
      const failed = own('failed', { kind: 'session.failed' });
      const asked = Array.from({ length: MOST_OPEN - 1 }, (_, n) => own(`asked ${n}`));
      await commitOne(store, madeDecision({ notifications: [...asked.slice(0, 2), failed, ...asked.slice(2, -1)] }));
      const before = await factsOf(store, { session: SESSION });
      expect([before.open.length, before.surplus]).toEqual([MOST_OPEN - 1, []]);
      await commitOne(store, madeDecision({ entryId: 'last', notifications: asked.slice(-1) }));
      const all = await factsOf(store, { session: SESSION });
      expect(all.open).toHaveLength(MOST_OPEN);
      const oldest = [...asked.slice(0, 2), failed, ...asked.slice(2)].slice(0, MOST_OPEN + 1 - LEFT_OPEN);
      expect(all.surplus).toEqual(oldest.map(({ id }) => id));
      const few = await factsOf(store, { session: SESSION, ends: ['session.failed'] });
      expect(few.surplus).toEqual(all.surplus);
      expect(few.open.map(({ id }) => id)).toEqual(all.surplus);
      await commitOne(
        store,
        madeDecision({ entryId: 'more', notifications: [own('later', { kind: 'session.ended' })] }),
      );
      const ended = await factsOf(store, { session: SESSION, ends: ['session.ended'] });
      expect(ended.open.map(({ id }) => id)).toEqual([...ended.surplus, notificationIdOf('later')]);
    });

    test('each of several keys is answered, in their order', async () => {
      const store = await alone(driver);
      await commitOne(store, madeDecision({ events: [event('a')], notifications: [own('a')] }));
      const key = { now: NOON, same: null, byOthers: null, children: null, ends: ENDED_BY_SESSION, events: () => [] };
      const sends = { since: NOON, least: 0, most: 100 };
      const found = await store.factsFor([
        { ...key, sends, eventId: 'x', session: null },
        { ...key, sends, eventId: 'a', session: SESSION },
      ]);
      expect(found.map(({ open: of }) => of.length)).toEqual([0, 1]);
      expect(found.map(({ known }) => known.size)).toEqual([0, 1]);
    });

    test('several decisions at once: each stands or falls by itself, in their order', async () => {
      const store = await alone(driver);
      const write = (entryId: string, id: string, version = 0) =>
        madeDecision({ entryId, events: [], notifications: [madeNotification({ id, version })] });
      expect(
        await store.commit([write('1', 'a'), write('1', 'b'), write('2', 'a'), write('3', 'a', 1), write('4', 'c')]),
      ).toEqual(['written', 'already', 'conflict', 'written', 'written']);
      expect((await store.notifications({})).map(({ id, version }) => [id, version])).toEqual([
        ['a', 2],
        ['c', 1],
      ]);
      expect(await store.commit([write('2', 'a', 2)])).toEqual(['written']);
      expect(await store.commit([])).toEqual([]);
    });

    test('a claimed delivery has its notification and the mutes as they stand', async () => {
      const store = await alone(driver);
      const silence = { id: 'm', until: NOON, session: null, cwd: null, channel: null, all: true, createdAt: NOON };
      await store.putSilence(silence);
      await commitOne(
        store,
        madeDecision({
          notifications: [own('a')],
          deliveries: [
            madeDelivery({ id: 'd1', notificationId: notificationIdOf('a'), threadKey: 'one', due: NOON }),
            madeDelivery({ id: 'd2', notificationId: 'gone', threadKey: 'two', due: NOON + 1 }),
          ],
        }),
      );
      const claimed = await store.claim('team', { now: NOON + 1, leaseMs: 1_000, limit: 2 });
      expect(claimed.map(({ id, notification }) => [id, notification])).toEqual([
        ['d1', await store.notification(notificationIdOf('a'))],
        ['d2', null],
      ]);
      expect(claimed.map(({ silences }) => silences)).toEqual([[silence], [silence]]);
      const [one, two] = claimed;
      const ended = { attempt: null, state: 'cancelled', due: NOON, lastReason: null, lastError: null } as const;
      const settled = (deliveryId: string, token: string) => ({ deliveryId, token, ...ended, counters: NO_RETRIES });
      expect(
        await store.settle([
          settled('d1', one?.token ?? ''),
          settled('d2', 'another'),
          settled('d1', one?.token ?? ''),
        ]),
      ).toEqual(['recorded', 'gone', 'gone']);
      expect(await store.settle([settled('d2', two?.token ?? '')])).toEqual(['recorded']);
    });
  });
}

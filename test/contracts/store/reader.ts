// The reader: lists, single rows and counts.
import { describe, expect, test } from 'vitest';
import type { Delivery, DeliveryState } from '../../../src/model/delivery/delivery.ts';
import { notificationIdOf } from '../../../src/model/ids.ts';
import type { SharedStore } from '../../../src/store/contract.ts';
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
import { commitOne, keepSession, settleOne } from '../../support/store-writes.ts';
import { nextTimer } from '../../support/timers.ts';
import { alone, both, CLAIM, ended, HOSTILE, type StoreDriver } from './driver.ts';
import { testManyRows } from './many-rows.ts';

const THREAD = 'box/dev/generic/session-1';
const own = (event: string) => madeNotification({ id: notificationIdOf(event), eventIds: [event] });
const group = madeNotification({ id: 'ntf_group', threadKey: 'group:x', eventIds: ['one', 'two\0'] });

/** The suite of the reader. */
export function testReader(driver: StoreDriver): void {
  testManyRows(driver);

  describe(`reader: ${driver.name}`, () => {
    test('what one writes the other reads at once, in lists, alone and counted', async () => {
      const [one, two] = await both(driver);
      expect(await two.counts()).toMatchObject({ events: 0, openQuestions: 0 });
      const stored = { event: madeEvent(), fingerprint: 'f', verdicts: [] };
      const notification = madeNotification();
      await commitOne(
        one,
        madeDecision({
          events: [stored],
          deliveries: [madeDelivery()],
          notifications: [notification],
          sessions: [madeSession()],
        }),
      );
      expect(await two.events({})).toMatchObject([stored]);
      expect(await two.event(stored.event.id)).toMatchObject(stored);
      expect(await two.deliveries({})).toEqual([madeDelivery()]);
      expect(await two.notifications({})).toEqual([{ ...notification, version: 1 }]);
      expect(await two.session(SESSION)).toEqual(madeSession({ version: 1 }));
      const counts = await two.counts();
      expect([counts.events, counts.notifications.open, counts.deliveries.pending]).toEqual([1, 1, 1]);
      expect(await two.beginning(notification.id, 9)).toEqual([{ what: 'notification', id: notification.id }]);
    });

    test('the scope of all has the rows of every machine and user, in lists and counted', async () => {
      const store = await alone(driver);
      expect(store.scope).toBe('all');
      const of = ['ann', 'bob'].map((user) => ({ host: `host of ${user}`, user }));
      const sessions = of.map((whose) => madeSession(whose));
      const events = of.map((whose) => ({
        event: madeEvent({ ...whose, id: `e-${whose.user}` }),
        fingerprint: null,
        verdicts: [],
      }));
      const notifications = events.map(({ event }) => own(event.id));
      await commitOne(store, madeDecision({ events, sessions, notifications }));
      expect((await store.sessions({})).map(({ user }) => user).sort()).toEqual(['ann', 'bob']);
      expect((await store.events({})).map(({ event }) => event.user).sort()).toEqual(['ann', 'bob']);
      const counts = await store.counts();
      expect([counts.events, counts.notifications.open]).toEqual([2, 2]);
    });

    test('lists events by filter, oldest first, and lets a follower go on', async () => {
      const store = await alone(driver);
      for (let i = 0; i < 6; i++)
        await commitOne(
          store,
          madeDecision({
            entryId: `e${i}`,
            events: [
              {
                event: madeEvent({
                  id: `e${i}`,
                  at: i,
                  kind: i % 2 ? 'test' : 'agent.finished',
                  sessionId: i < 3 ? 'a' : null,
                }),
                fingerprint: null,
                verdicts: [],
              },
            ],
            deliveries: [madeDelivery({ id: `d${i}`, eventId: `e${i}`, state: i === 4 ? 'dead' : 'sent' })],
          }),
        );
      const ids = async (filter: Parameters<SharedStore['events']>[0]) =>
        (await store.events(filter)).map((e) => e.event.id);
      expect(await ids({})).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5']);
      expect(await ids({ limit: 2 })).toEqual(['e4', 'e5']);
      expect(await ids({ since: 4 })).toEqual(['e4', 'e5']);
      expect(await ids({ kinds: ['test'], session: 'a' })).toEqual(['e1']);
      expect(await ids({ failed: true })).toEqual(['e4']);
      const row = (await store.event('e2'))?.row ?? 0;
      expect(await store.lastEventRow()).toBe((await store.event('e5'))?.row);
      expect(await ids({ afterRow: row, limit: 2 })).toEqual(['e3', 'e4']);
      expect(await ids({ until: 2 })).toEqual(['e0', 'e1', 'e2']);
      expect(await ids({ agents: ['generic'], urgencies: ['normal'], limit: 1 })).toEqual(['e5']);
      expect(await ids({ agents: ['claude', 'codex'] })).toEqual([]);
      expect(await ids({ exceptAgent: 'generic' })).toEqual([]);
      expect(await ids({ exceptAgent: 'codex', since: 4 })).toEqual(['e4', 'e5']);
      expect(await ids({ text: 'EVENT":"sto' })).toEqual([]); // text is text, not JSON
      expect(await ids({ text: 'PAYMENTS' })).toHaveLength(6);
      expect(await ids({ text: 'p_yments' })).toEqual([]);
      expect(await ids({ before: { at: 3, row }, limit: 2 })).toEqual(['e1', 'e2']);
      expect((await store.deliveries({ beforeId: 'd3', limit: 2 })).map((d) => d.id)).toEqual(['d1', 'd2']);
      expect((await store.deliveries({ kinds: ['test'] })).map((d) => d.id)).toEqual(['d1', 'd3', 'd5']);
      expect((await store.deliveries({ session: 'a', states: ['sent'], limit: 1 })).map((d) => d.id)).toEqual(['d2']);
    });

    test('finds events by their ids, and by the beginning of one', async () => {
      const store = await alone(driver);
      for (const id of ['0197-aaaa-1', '0197-aaaa-2', '0198-bbbb-1', "0198'--"])
        await commitOne(
          store,
          madeDecision({ entryId: id, events: [{ event: madeEvent({ id }), fingerprint: null, verdicts: [] }] }),
        );
      const ids = async (prefix: string, limit: number) => (await store.beginning(prefix, limit)).map(({ id }) => id);
      expect(await ids('0197-aaaa', 2)).toEqual(['0197-aaaa-1', '0197-aaaa-2']);
      expect(await ids('0197', 1)).toHaveLength(1);
      expect(await ids('0198-bbbb-1', 2)).toEqual(['0198-bbbb-1']);
      expect(await ids('%', 2)).toEqual([]);
      const found = await store.eventsById(["0198'--", '0197-aaaa-1', 'none']);
      expect([...found].sort()).toEqual(['0197-aaaa-1', "0198'--"].map((id) => [id, madeEvent({ id })]));
      expect((await store.eventsById([])).size).toBe(0);
      await store.addDelivery(madeDelivery({ id: '0197-aaaa-3' }));
      await keepSession(store, madeSession({ sessionId: '0197-aaaa-4' }));
      await keepSession(store, madeSession({ sessionId: '0197-aaaa-4', agent: 'claude' }));
      expect((await store.beginning('0197-aaaa', 9)).map(({ what, id }) => `${what} ${id}`)).toEqual([
        'event 0197-aaaa-1',
        'event 0197-aaaa-2',
        'delivery 0197-aaaa-3',
        'session 0197-aaaa-4',
      ]);
    });

    test('finds the sessions that another one began, whatever its id', async () => {
      const store = await alone(driver);
      for (const parent of ['s-1', 's\0 \ud800'])
        for (const [index, lastEvent] of [5, 9].entries())
          await keepSession(
            store,
            madeSession({ sessionId: `${parent}-${index}`, parentSessionId: parent, lastEvent }),
          );
      await keepSession(store, madeSession({ sessionId: 's-1', lastEvent: 7 }));
      for (const parent of ['s-1', 's\0 \ud800']) {
        const idsSince = async (since: number): Promise<readonly string[]> =>
          (await store.sessions({ agent: 'generic', parent, since })).map(({ sessionId }) => sessionId);
        expect(await idsSince(0)).toEqual([`${parent}-0`, `${parent}-1`]);
        expect(await idsSince(6)).toEqual([`${parent}-1`]);
      }
      expect(await store.sessions({ parent: 'nobody' })).toEqual([]);
      // It may turn out later who began it, and that another one did.
      await keepSession(store, madeSession({ sessionId: 's-1', parentSessionId: 'late', lastEvent: 8 }));
      expect(await store.sessions({ parent: 'late' })).toHaveLength(1);
    });

    test('when each agent was last heard of', async () => {
      const store = await alone(driver);
      for (const [i, agent] of ['claude', 'droid', 'claude', 'a\0b'].entries())
        await keepSession(store, madeSession({ agent, sessionId: `s${i}`, lastEvent: NOON - i }));
      expect([...(await store.lastEvents())].sort()).toEqual([
        ['a\0b', NOON - 3],
        ['claude', NOON],
        ['droid', NOON - 1],
      ]);
    });

    test.each(HOSTILE)('keeps any text as it is: %j', async (text) => {
      const store = await alone(driver);
      const event = madeEvent({ id: `id-${text}`, sessionId: text, message: text, attributes: { text } });
      const delivery = madeDelivery({
        id: `d-${text}`,
        eventId: event.id,
        channel: text,
        threadKey: text,
        lastError: text,
      });
      await commitOne(
        store,
        madeDecision({ events: [{ event, fingerprint: text, verdicts: [] }], deliveries: [delivery] }),
      );
      expect((await store.event(event.id))?.event).toEqual(event);
      expect((await factsOf(store, { same: { fingerprint: text, since: 0 } })).same?.id).toBe(event.id);
      expect(await store.deliveries({ channel: text, session: text })).toEqual([delivery]);
      expect((await store.claim(text, { now: NOON, leaseMs: 1, limit: 1 }))[0]?.id).toBe(delivery.id);
      await keepSession(store, madeSession({ sessionId: text }));
      expect((await store.session({ ...SESSION, sessionId: text }))?.sessionId).toBe(text);
      await store.setTimer({ id: text, kind: 'hold', due: 1, data: {} }, NOON);
      await store.clearTimer(text);
      expect(await nextTimer(store)).toBeNull();
    });

    test('counts deliveries by state, and what waits by channel, whatever its name', async () => {
      const store = await alone(driver);
      const states: readonly DeliveryState[] = ['sent', 'pending', 'paused', 'dead', 'superseded', 'leased'];
      const deliveries = HOSTILE.flatMap((channel, c) =>
        states.flatMap((state, s) =>
          Array.from({ length: c + 1 }, (_, i) =>
            madeDelivery({ id: `${c}-${s}-${i}`, channel, state, threadKey: `${s}-${i}` }),
          ),
        ),
      );
      await commitOne(store, madeDecision({ deliveries }));
      const counts = await store.counts();
      expect(counts.deliveries).toEqual({
        ...Object.fromEntries(states.map((state) => [state, (8 * 9) / 2])),
        cancelled: 0,
      });
      expect([...counts.waiting].sort()).toEqual(HOSTILE.map((name, c) => [name, 3 * (c + 1)]).sort());
    });

    test('a group is found by each of its events, and its deliveries with them', async () => {
      const store = await alone(driver);
      const deliveries = [
        madeDelivery({ id: 'own', eventId: 'two\0', notificationId: notificationIdOf('two\0') }),
        madeDelivery({ id: 'of the group', eventId: 'one', notificationId: 'ntf_group', threadKey: 'group:x' }),
      ];
      const notifications = [own('one'), own('two\0'), group];
      await commitOne(store, madeDecision({ notifications, deliveries }));
      const covering = async (...covers: string[]) => (await store.notifications({ covers })).map(({ id }) => id);
      expect(await covering('one')).toEqual(['ntf_group']);
      expect(await covering('two\0', 'none')).toEqual(['ntf_group']);
      expect(await covering('none')).toEqual([]);
      expect(await store.notifications({ covers: ['one'], states: ['resolved'] })).toEqual([]);
      const ids = [notificationIdOf('one'), 'ntf_group', 'none'];
      expect((await store.notifications({ ids })).map(({ id }) => id)).toEqual([notificationIdOf('one'), 'ntf_group']);
      const of = async (covers: string) => (await store.deliveries({ covers })).map(({ id }) => id);
      expect(await of('two\0')).toEqual(['own', 'of the group']);
      expect(await of('one')).toEqual(['of the group']);
    });

    test('a group that grew is found by what came', async () => {
      const store = await alone(driver);
      await commitOne(store, madeDecision({ notifications: [group] }));
      const grown = { ...group, version: 1, state: 'resolved', eventIds: [...group.eventIds, 'three'] } as const;
      await commitOne(store, madeDecision({ entryId: 'later', notifications: [grown] }));
      expect(await store.notifications({ covers: ['three'] })).toMatchObject([{ id: 'ntf_group', version: 2 }]);
    });

    test('what a digest is to take the place of, and what is scheduled', async () => {
      const store = await alone(driver);
      const held = { a: null, b: 'quiet', c: 'mute:1', d: 'group:x', e: 'storm:x', f: 'group:\0' } as const;
      const deliveries = Object.entries(held).map(([id, heldBy]) =>
        madeDelivery({ id, notificationId: id, threadKey: id, heldBy, scheduled: id === 'b' }),
      );
      await commitOne(store, madeDecision({ deliveries }));
      const of = async (filter: Parameters<typeof store.deliveries>[0]) =>
        (await store.deliveries(filter)).map(({ id }) => id).join('');
      expect(await of({ heldForDigest: true })).toBe('bc');
      expect(await of({ heldForDigest: false })).toBe('adef');
      expect(await of({ scheduled: true })).toBe('b');
    });

    test('counts the first sends of a session since then, without what was taken back or waits for a digest', async () => {
      const store = await alone(driver);
      const rows = [
        ['old', {}, NOON - 10],
        ['a', {}, NOON + 1],
        ['b', { state: 'sent' }, NOON + 2],
        ['c', { state: 'cancelled' }, NOON + 3],
        ['d', { heldBy: 'quiet', scheduled: true }, NOON + 4],
        ['e', { heldBy: 'storm:team:x', scheduled: true }, NOON + 5],
        ['f', { step: 1 }, NOON + 6],
        ['g', { operation: 'update' }, NOON + 7],
        ['h', { channel: 'other' }, NOON + 8],
      ] as const;
      const notifications = rows.map(([id]) => own(id));
      const deliveries = rows.map(([id, more, createdAt]) =>
        madeDelivery({ id, eventId: id, notificationId: notificationIdOf(id), createdAt, ...more }),
      );
      await commitOne(
        store,
        madeDecision({ notifications, deliveries, events: [{ event: madeEvent(), fingerprint: null, verdicts: [] }] }),
      );
      const found = await store.plannedSends(THREAD, { since: NOON, least: 0, most: 100 });
      expect([...found]).toEqual([
        ['team', [NOON + 1, NOON + 2, NOON + 5]],
        ['other', [NOON + 8]],
      ]);
      expect([...(await store.plannedSends(THREAD, { since: NOON, least: 0, most: 1 }))]).toEqual([
        ['other', [NOON + 8]],
      ]);
      expect([...(await store.plannedSends('another', { since: NOON, least: 0, most: 100 }))]).toEqual([]);
      expect([...(await store.plannedSends(THREAD, { since: NOON, least: 10, most: 100 }))]).toEqual([]);
      expect(await store.plannedSends(THREAD, { since: NOON, least: 9, most: 100 })).toEqual(found);
    });

    test('a channel was sent what is open, where a send of it went out through that channel and it is not over', async () => {
      const store = await alone(driver);
      const states = ['open', 'resolved', 'expired', 'acknowledged', 'open', 'open'] as const;
      const notifications = states.map((state, n) => madeNotification({ id: `ntf_${n}`, state }));
      await commitOne(store, madeDecision({ events: [], notifications }));
      const add = (n: number, more: Partial<Delivery>): Promise<void> =>
        store.addDelivery(madeDelivery({ id: `d${n}`, notificationId: `ntf_${n}`, state: 'sent', ...more }));
      await add(0, { channel: 'desk' });
      for (const n of [1, 2, 3]) await add(n, {});
      await add(4, { state: 'pending' });
      await add(5, { operation: 'retract' });
      expect(await Promise.all([store.sentOpen('team'), store.sentOpen('desk')])).toEqual([false, true]);
      const [sent] = await store.claim('team', CLAIM);
      await settleOne(store, 'd4', sent?.token ?? '', ended('sent'));
      expect(await store.sentOpen('team')).toBe(true);
    });
  });
}

// What a store must do for groups and storms: a notification found by its events, sends held under a name, counts of the last minute.
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/model/delivery/delivery.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import type { Store } from '../../src/store/contract.ts';
import { madeContent, madeDecision, madeDelivery, madeEvent, madeNotification, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

const THREAD = 'box/dev/generic/session-1';

/** `open` gives an empty store that the test's end disposes of. */
export function testStoreGroups(name: string, open: () => Promise<Store>): void {
  describe(`groups in store: ${name}`, () => {
    const own = (event: string) => madeNotification({ id: notificationIdOf(event), eventIds: [event] });
    const group = madeNotification({ id: 'ntf_group', threadKey: 'group:x', eventIds: ['one', 'two\0'] });

    test('a group is found by each of its events, and its deliveries with them', async () => {
      const store = await open();
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

    test('a group that grew is found by what came, and by nothing once it is gone', async () => {
      const store = await open();
      await commitOne(store, madeDecision({ notifications: [group] }));
      const grown = { ...group, version: 1, state: 'resolved', eventIds: [...group.eventIds, 'three'] } as const;
      await commitOne(store, madeDecision({ entryId: 'later', notifications: [grown] }));
      expect(await store.notifications({ covers: ['three'] })).toMatchObject([{ id: 'ntf_group', version: 2 }]);
      const long = 10 * 24 * 3_600_000;
      const ages = { maxAgeMs: 1, maxBytes: 1e9, rawAgeMs: 1, deadAgeMs: 1 };
      await store.prune({ now: NOON + long, ...ages });
      expect(await store.notifications({ covers: ['three'] })).toEqual([]);
      expect(await store.notification('ntf_group')).toBeNull();
    });

    test('a message gets its content and its time before anybody tried to send it, and what changes it follows it', async () => {
      const store = await open();
      const later = { scheduled: true, due: NOON + 1_000 } as const;
      const made = (id: string, more: Partial<Delivery> = {}) =>
        madeDelivery({ id, notificationId: id, threadKey: id, ...later, ...more });
      const deliveries = [
        made('waits'),
        made('held', { heldBy: 'group:x' }),
        made('moved', { due: NOON + 5_000 }),
        made('tried', { attempts: 1, scheduled: false, due: NOON }),
        made('sent', { state: 'sent', scheduled: false, due: NOON }),
      ];
      await commitOne(store, madeDecision({ deliveries }));
      const changes = deliveries.map(({ id }) =>
        madeDelivery({ id: `${id} again`, notificationId: id, threadKey: id, operation: 'update', revision: 2 }),
      );
      await commitOne(store, madeDecision({ entryId: 'over', events: [], deliveries: changes }));
      const content = madeContent({ title: 'enriched' });
      const rewrite = [...deliveries, { notificationId: 'nobody' }].map(({ notificationId }) => ({
        notificationId,
        channel: 'team',
        step: 0,
        content,
        from: NOON + 1_000,
        due: NOON + 10,
      }));
      expect(await commitOne(store, madeDecision({ entryId: 'context', events: [], rewrite }))).toBe('written');
      const rows = await store.deliveries({ channel: 'team', limit: 100 });
      const said = rows.map((row) => `${row.id}: ${row.content.title === 'enriched'}, ${row.due - NOON}`).sort();
      expect(said).toEqual([
        'held: true, 1000',
        'moved again: true, 5000',
        'moved: true, 5000',
        'sent again: true, 0',
        'sent: false, 0',
        'tried again: true, 0',
        'tried: false, 0',
        'waits again: true, 10',
        'waits: true, 10',
      ]);
      const claim = { limit: 10, leaseMs: 1_000, now: NOON + 10 };
      expect((await store.claim('team', claim)).map(({ id }) => id)).toContain('waits');
      expect((await store.claim('team', claim)).map(({ id }) => id)).not.toContain('waits again');
    });

    test('one step of a message is taken back, the others stay', async () => {
      const store = await open();
      const later = { scheduled: true, due: NOON + 9 } as const;
      const deliveries = [madeDelivery(), madeDelivery({ id: 'step', step: 1, ...later })];
      await commitOne(store, madeDecision({ deliveries }));
      const cancel = {
        notificationId: 'ntf_0001',
        because: 'superseded',
        channels: ['team'],
        step: 0,
        note: 'in it',
      } as const;
      await commitOne(store, madeDecision({ entryId: 'later', cancel: [cancel] }));
      expect((await store.deliveries({})).map(({ id, state, lastError }) => [id, state, lastError])).toEqual([
        ['delivery-0001', 'superseded', 'in it'],
        ['step', 'pending', null],
      ]);
    });

    test('what is held goes to another hold; what is sent does not', async () => {
      const store = await open();
      const deliveries = [
        madeDelivery({ heldBy: 'group:x', scheduled: true }),
        madeDelivery({ id: 'free', channel: 'other' }),
      ];
      await commitOne(store, madeDecision({ deliveries }));
      const rehold = ['delivery-0001', 'free'].map((id) => ({ id, heldBy: 'quiet', due: NOON + 60_000 }));
      await commitOne(store, madeDecision({ entryId: 'anew', at: NOON + 1, rehold }));
      expect(await store.deliveries({ heldBy: true })).toMatchObject([
        { id: 'delivery-0001', heldBy: 'quiet', due: NOON + 60_000, state: 'pending' },
      ]);
      expect(await store.nextDue('team')).toBeNull();
      const free = [{ id: 'delivery-0001', heldBy: null, due: NOON + 2 }];
      await commitOne(store, madeDecision({ entryId: 'free', at: NOON + 2, rehold: free }));
      expect(await store.nextDue('team')).toBe(NOON + 2);
    });

    test('what a digest is to take the place of, and what is scheduled', async () => {
      const store = await open();
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

    test('timers by their ids, those that are set', async () => {
      const store = await open();
      for (const id of ['group:b', 'group:a', 'groups', 'storm:a'])
        await store.setTimer({ id, kind: 'group', due: NOON, data: { pending: true } }, NOON);
      const found = await store.timers(['storm:a', 'group:a', 'group:c', 'group:a']);
      expect(found.map(({ id }) => id).sort()).toEqual(['group:a', 'storm:a']);
      expect(await store.timers([])).toEqual([]);
    });

    test('counts the first sends of a session since then, without what was taken back or waits for a digest', async () => {
      const store = await open();
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
  });
}

// What a store must do about deliveries of sessions of which something came before that is not decided yet.
import { describe, expect, test } from 'vitest';
import { sessionKeyText, threadKeyOf } from '../../../src/model/ids.ts';
import type { Store, Undecided } from '../../../src/store/contract.ts';
import {
  madeDecision,
  madeDelivery,
  madeEntry,
  madeEvent,
  madeNotification,
  madeSession,
  NOON,
  SESSION,
} from '../../support/made.ts';
import { commitOne, keepSession } from '../../support/store-writes.ts';
import { alone, type StoreDriver } from './driver.ts';

const MINUTE = 60_000;
const CLAIM = { now: NOON, leaseMs: 1, limit: 10 } as const;
const READ: Undecided = { since: NOON - 500, unread: false };

const threadOf = (sessionId: string): string => sessionKeyText({ ...SESSION, sessionId });

/** Part of the suite of a role. */
export function testUndecided(driver: StoreDriver<Store>): void {
  describe(`what came before: ${driver.name}`, () => {
    const claimed = async (store: Store, after: Undecided = READ, now = NOON): Promise<readonly string[]> =>
      (await store.claim('team', { ...CLAIM, now, after })).map(({ id }) => id).sort();

    /** A delivery of each of these sessions. */
    async function withSessions(...sessions: readonly string[]): Promise<Store> {
      const store = await alone(driver);
      for (const id of sessions) await store.addDelivery(madeDelivery({ id, threadKey: threadOf(id) }));
      return store;
    }

    test('holds up its own session until it is decided, and no other', async () => {
      const store = await withSessions('asks', 'other');
      await store.append(madeEntry({ id: 'answer', orderingKey: 'asks', receivedAt: NOON - 100 }));
      expect(await claimed(store)).toEqual(['other']);
      await commitOne(store, madeDecision({ entryId: 'answer', events: [] }));
      expect(await claimed(store, READ, NOON + 2)).toEqual(['asks', 'other']);
    });

    test('holds up its session also where it is written while a claim is under way', async () => {
      const store = await withSessions('asks', 'other');
      const entry = madeEntry({ id: 'answer', orderingKey: 'asks', receivedAt: NOON - 100 });
      const [, found] = await Promise.all([store.append(entry), claimed(store)]);
      expect(found).toEqual(['other']);
    });

    test('holds up nothing that was due before it came, so that a busy session is not held up for ever', async () => {
      const store = await withSessions('busy');
      await store.append(madeEntry({ id: 'later', orderingKey: 'busy', receivedAt: NOON + 1 }));
      expect(await claimed(store, READ, NOON + 5)).toEqual(['busy']);
    });

    test('from before the start, holds up what was due long before it', async () => {
      const store = await withSessions('asks');
      const after = { since: NOON + 9_000, unread: false };
      await store.append(madeEntry({ id: 'answer', orderingKey: 'asks', receivedAt: NOON + 8_000 }));
      expect(await claimed(store, after, NOON + 9_500)).toEqual([]);
    });

    test('of a subagent or of its parent, holds up the session', async () => {
      const store = await withSessions('parent', 'child', 'stranger');
      await keepSession(store, madeSession({ ...SESSION, sessionId: 'child', parentSessionId: 'parent' }));
      await store.append(madeEntry({ id: 'e1', orderingKey: 'child', receivedAt: NOON - 1 }));
      expect(await claimed(store)).toEqual(['stranger']);
      await commitOne(store, madeDecision({ entryId: 'e1', events: [] }));
      await store.append(madeEntry({ id: 'e2', orderingKey: 'parent', receivedAt: NOON - 1 }));
      expect(await claimed(store, READ, NOON + 2)).toEqual(['stranger']);
    });

    test('of a session that is not known before it is parsed, holds up all sessions', async () => {
      const store = await withSessions('one', 'two');
      await store.append(madeEntry({ id: 'e1', orderingKey: null, receivedAt: NOON - 1 }));
      expect(await claimed(store)).toEqual([]);
    });

    test('of a member, holds up a group', async () => {
      const store = await alone(driver);
      for (const id of ['m1', 'm2']) {
        const event = madeEvent({ id, sessionId: `session of ${id}` });
        await commitOne(store, madeDecision({ entryId: id, events: [{ event, fingerprint: null, verdicts: [] }] }));
      }
      const notification = madeNotification({ id: 'ntf_group', threadKey: 'group:x', eventIds: ['m1', 'm2'] });
      await commitOne(store, madeDecision({ entryId: 'group', events: [], notifications: [notification] }));
      const of = { notificationId: 'ntf_group', eventId: 'm1', threadKey: 'group:x' };
      await store.addDelivery(madeDelivery({ ...of, id: 'group' }));
      await store.append(madeEntry({ id: 'e1', orderingKey: 'session of m2', receivedAt: NOON - 1 }));
      expect(await claimed(store)).toEqual([]);
      await commitOne(store, madeDecision({ entryId: 'e1', events: [] }));
      expect(await claimed(store)).toEqual(['group']);
    });

    test('what belongs to no session goes, also while the spool is read', async () => {
      const store = await withSessions('one');
      const event = threadKeyOf(madeEvent({ id: 'test', sessionId: null }));
      await store.addDelivery(madeDelivery({ id: 'test', threadKey: event }));
      await store.addDelivery(madeDelivery({ id: 'digest', threadKey: 'digest:quiet:1' }));
      expect(await claimed(store, { ...READ, unread: true })).toEqual(['digest', 'test']);
      expect(await claimed(store, READ, NOON + 2)).toEqual(['digest', 'one', 'test']);
    });

    test('a probe of a failing channel waits for it, too', async () => {
      const store = await withSessions('asks', 'other');
      await store.append(madeEntry({ id: 'answer', orderingKey: 'asks', receivedAt: NOON - 100 }));
      await store.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON);
      const claim = { now: NOON, leaseMs: MINUTE, after: READ };
      expect(await store.claimPaused('team', NOON, claim)).toMatchObject({ id: 'other' });
      expect(await store.claimPaused('team', NOON, claim)).toBe('undecided');
      expect(await store.claimPaused('nobody', NOON, claim)).toBeNull();
    });

    test('one that cannot be decided holds up nothing after a minute', async () => {
      const store = await withSessions('asks');
      await store.append(madeEntry({ id: 'stuck', orderingKey: 'asks', receivedAt: NOON - 9 * MINUTE }));
      expect(await claimed(store, READ, READ.since + MINUTE - 1)).toEqual([]);
      expect(await claimed(store, READ, READ.since + MINUTE)).toEqual(['asks']);
    });

    test('one behind a long backlog holds up its session for as long as it waits for its turn', async () => {
      const store = await withSessions('asks', 'first');
      const backlog = Array.from({ length: 150 }, (_, i) => `e${i}`);
      for (const [i, id] of backlog.entries())
        await store.append(
          madeEntry({ id, orderingKey: i === 0 ? 'first' : `s${i}`, startedAt: NOON + i, receivedAt: NOON - 600 }),
        );
      await store.append(
        madeEntry({ id: 'answer', orderingKey: 'asks', startedAt: NOON + 500, receivedAt: NOON - 600 }),
      );
      expect(await claimed(store, READ, NOON + 5 * MINUTE)).toEqual(['first']);
      for (const id of backlog.slice(0, 100)) await commitOne(store, madeDecision({ entryId: id, events: [] }));
      expect(await claimed(store, READ, NOON + 6 * MINUTE)).toEqual(['asks', 'first']);
    });
  });
}

// What a store must do about time: a notification is over by it once nothing of it waits any more.
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/model/delivery/delivery.ts';
import { notificationIdOf } from '../../../src/model/ids.ts';
import type { Notification } from '../../../src/model/notification/notification.ts';
import type { SessionRecord } from '../../../src/model/session/session.ts';
import type { Store } from '../../../src/store/contract.ts';
import { madeDecision, madeDelivery, madeNotification, madeSession, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';
import { alone, type StoreDriver } from './driver.ts';

const DAY = 86_400_000;
const PROCESS = { pid: 4, start: '1', name: 'claude' };

interface Stored {
  readonly notification?: Partial<Notification>;
  readonly delivery?: Partial<Delivery>;
  readonly session?: Partial<SessionRecord>;
}

/** After how many days it is over; null: not within two years. */
const CASES: readonly [name: string, stored: Stored, days: number | null][] = [
  ['one of no session that is known', {}, 1],
  ['its session is at work', { session: { process: PROCESS } }, null],
  ['its session has ended', { session: { process: PROCESS, state: 'ended' } }, 1],
  ['its session has failed', { session: { process: PROCESS, state: 'failed' } }, 1],
  ['its session was heard of last after a day, and its process cannot be checked', { session: {} }, 8],
  ['what no session ends, of one at work', { notification: { kind: 'agent.other' }, session: { process: PROCESS } }, 1],
  [
    'acknowledged, of a session at work',
    { notification: { state: 'acknowledged' }, session: { process: PROCESS } },
    null,
  ],
  ['held', { delivery: { scheduled: true, heldBy: 'mute:1', due: NOON + 9 * DAY } }, null],
  ['to be sent later', { delivery: { scheduled: true, due: NOON + 9 * DAY } }, null],
  ['paused', { delivery: { state: 'paused' } }, null],
  ['being sent', { delivery: { state: 'leased', owner: 'elsewhere:1:1', token: 't' } }, null],
  ['sent', { delivery: { state: 'sent' } }, 1],
  ['given up', { delivery: { state: 'dead' } }, 1],
];

const own = (event: string, more: Partial<Notification> = {}): Notification =>
  madeNotification({ id: notificationIdOf(event), eventIds: [event], ...more });

/** Part of the suite of a role. */
export function testExpiry(driver: StoreDriver<Store>): void {
  const daysOf = async (store: Store, id: string): Promise<number | null> => {
    for (const days of [1, 8, 60, 700]) {
      await store.expireNotifications(NOON + days * DAY - 1);
      expect((await store.notification(id))?.state).not.toBe('expired');
      await store.expireNotifications(NOON + days * DAY + 1);
      if ((await store.notification(id))?.state === 'expired') return days;
    }
    return null;
  };

  describe(`expiry in store: ${driver.name}`, () => {
    test.each(CASES)('%s', async (_name, { notification, delivery, session }, days) => {
      const store = await alone(driver);
      const one = own('a', notification);
      await commitOne(
        store,
        madeDecision({
          notifications: [one],
          deliveries: delivery === undefined ? [] : [madeDelivery({ notificationId: one.id, ...delivery })],
          sessions: session === undefined ? [] : [madeSession({ lastEvent: NOON + DAY, ...session })],
        }),
      );
      expect(await daysOf(store, one.id)).toBe(days);
    });

    test('a group or a digest is not over before its events are', async () => {
      const store = await alone(driver);
      const group = madeNotification({ id: 'ntf_group', threadKey: 'group:x', eventIds: ['a', 'b'] });
      const sessions = [madeSession({ process: PROCESS })];
      const over = own('b', { state: 'resolved', resolved: { at: NOON, why: 'answered' } });
      await commitOne(store, madeDecision({ notifications: [own('a'), over, group], sessions }));
      expect(await store.expireNotifications(NOON + 30 * DAY)).toBe(0);
      const ended = madeSession({ version: 1, state: 'ended' });
      await commitOne(store, madeDecision({ entryId: 'end', notifications: [], sessions: [ended] }));
      expect(await store.expireNotifications(NOON + 30 * DAY)).toBe(1);
      expect(await store.expireNotifications(NOON + 30 * DAY)).toBe(1);
      expect((await store.notification('ntf_group'))?.state).toBe('expired');
    });

    test('many that still wait do not keep those from expiring that do not', async () => {
      const store = await alone(driver);
      const waiting = Array.from({ length: 1_200 }, (_, i) => own(`waits-${i}`));
      const past = Array.from({ length: 700 }, (_, i) => own(`past-${i}`, { threadKey: `event:past-${i}` }));
      const sessions = [madeSession({ process: PROCESS })];
      await commitOne(store, madeDecision({ notifications: [...waiting, ...past], sessions }));
      expect(await store.expireNotifications(NOON + 2 * DAY)).toBe(700);
      expect(await store.notifications({ states: ['open'], limit: 5_000 })).toHaveLength(1_200);
    });
  });
}

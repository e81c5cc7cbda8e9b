// What every store does with many rows: lists and moves go through more than one slice or transaction and miss nothing.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/model/delivery/delivery.ts';
import type { DeliveryFilter, EventFilter, SharedStore } from '../../../src/store/contract.ts';
import { madeDecision, madeDelivery, madeEvent, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';
import { alone, type StoreDriver } from './driver.ts';

const MANY = 2_600;
const name = (n: number): string => String(n).padStart(4, '0');

/** Every second one is of a second session, channel and kind; every hundredth is urgent, and scheduled for later. */
async function fill(store: SharedStore): Promise<void> {
  const rows = Array.from({ length: MANY }, (_, n) => {
    const odd = n % 2 === 1;
    const rare = n % 100 === 0;
    const id = name(n);
    const event = madeEvent({
      id,
      at: NOON + n,
      sessionId: odd ? 's-1' : 's-0',
      agent: odd ? 'codex' : 'claude',
      kind: odd ? 'agent.finished' : 'agent.waiting',
      urgency: rare ? 'urgent' : 'normal',
    });
    const delivery = madeDelivery({
      id,
      eventId: id,
      notificationId: id,
      threadKey: odd ? 's-1' : 's-0',
      channel: odd ? 'team' : 'phone',
      createdAt: NOON + n,
      updatedAt: NOON + n,
      due: NOON + n + (rare ? 1e6 : 0),
      scheduled: rare,
      step: rare ? 1 : 0,
    });
    return { event, delivery };
  });
  await commitOne(
    store,
    madeDecision({
      events: rows.map(({ event }) => ({ event, fingerprint: null, verdicts: [] })),
      deliveries: rows.map(({ delivery }) => delivery),
    }),
  );
}

/** Part of the suite of a role. */
export function testManyRows(driver: StoreDriver): void {
  describe(`many rows in store: ${driver.name}`, () => {
    let store: SharedStore;
    beforeEach(async () => {
      store = await alone(driver);
      await fill(store);
    });

    test('moves all that match, and only those, keeping each line in order', async () => {
      const now = NOON + MANY;
      expect(await store.transition({ channel: 'phone', from: ['pending'] }, 'paused', now)).toBe(
        MANY / 2 - MANY / 100,
      );
      expect(await store.deliveries({ channel: 'phone', states: ['pending'], limit: MANY })).toHaveLength(MANY / 100);
      expect(await store.unfinishedChannels()).toEqual(expect.arrayContaining(['phone', 'team']));
      expect(await store.transition({ from: ['pending', 'paused'], createdBefore: NOON + 1_500 }, 'dead', now)).toBe(
        1_500,
      );
      expect(await store.transition({ from: ['dead'] }, 'pending', now)).toBe(1_500);
      const [first] = await store.claim('phone', { now: NOON + 1e7, leaseMs: 1, limit: 9 });
      expect(first?.id).toBe('0000');
      expect((await store.claim('team', { now: NOON + 1e7, leaseMs: 1, limit: 9 })).map(({ id }) => id)).toEqual([
        '0001',
      ]);
    });

    test('lists find what is rare however far back it is', async () => {
      const events = async (filter: EventFilter): Promise<readonly string[]> =>
        (await store.events({ ...filter, limit: 3 })).map(({ event }) => event.id);
      expect(await events({ urgencies: ['urgent'] })).toEqual(['2300', '2400', '2500']);
      expect(await events({ urgencies: ['urgent'], until: NOON + 150 })).toEqual(['0000', '0100']);
      expect(await events({ urgencies: ['urgent'], afterRow: 0 })).toEqual(['0000', '0100', '0200']);
      expect(await events({ text: 'CODEX', until: NOON + 4 })).toEqual(['0001', '0003']);
      expect(await events({ agents: ['codex'], kinds: ['agent.waiting'] })).toEqual([]);
      expect(await events({ kinds: ['agent.finished', 'agent.waiting'] })).toEqual(['2597', '2598', '2599']);
      expect(await events({ kinds: [] })).toEqual([]);
      const deliveries = async (filter: DeliveryFilter): Promise<readonly string[]> =>
        (await store.deliveries({ limit: 3, ...filter })).map(({ id }: Delivery) => id);
      expect(await deliveries({ step: 1, fromOldest: true })).toEqual(['0000', '0100', '0200']);
      expect(await deliveries({ step: 1, states: ['pending', 'dead'] })).toEqual(['2300', '2400', '2500']);
      expect(await deliveries({ channel: 'phone', beforeId: '0003' })).toEqual(['0000', '0002']);
      expect(await deliveries({ channel: 'phone', states: ['pending'], scheduled: true })).toEqual([
        '2300',
        '2400',
        '2500',
      ]);
      expect(await deliveries({ kinds: ['agent.finished'], fromOldest: true })).toEqual(['0001', '0003', '0005']);
      expect(await deliveries({ since: NOON + 2_598 })).toEqual(['2598', '2599']);
      expect(await deliveries({ since: NOON + 1e9 })).toEqual([]);
      expect(await deliveries({ states: [] })).toEqual([]);
    });

    test('what holds anything back, with how many', async () => {
      await commitOne(
        store,
        madeDecision({
          entryId: 'held',
          events: [],
          deliveries: [
            madeDelivery({ id: 'a', heldBy: 'quiet', scheduled: true }),
            madeDelivery({ id: 'b', heldBy: 'quiet', scheduled: true }),
            madeDelivery({ id: 'c', heldBy: 'mute:\0', scheduled: true }),
            madeDelivery({ id: 'd', heldBy: 'quiet', state: 'superseded' }),
          ],
        }),
      );
      expect(new Map(await store.holds())).toEqual(
        new Map([
          ['quiet', 2],
          ['mute:\0', 1],
        ]),
      );
    });
  });
}

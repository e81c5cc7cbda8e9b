// Upkeep: age, size, leases of the dead, a clock that was set back.
import { describe, expect, test } from 'vitest';
import type { DeliveryState } from '../../../src/model/delivery/delivery.ts';
import { madeDecision, madeDelivery, madeEntry, madeEvent, madeNotification, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';
import { nextTimer, timersDue } from '../../support/timers.ts';
import { alone, both, type StoreDriver } from './driver.ts';
import { testExpiry } from './expiry.ts';
import { testRetention } from './retention.ts';

/** The suite of the upkeep. */
export function testUpkeep(driver: StoreDriver): void {
  testExpiry(driver);
  testRetention(driver);

  describe(`upkeep: ${driver.name}`, () => {
    test('what is over by time is so once, whoever looks, and goes for both', async () => {
      const [one, two] = await both(driver);
      const late = NOON + 400 * 86_400_000;
      const ids = ['ntf_0001', 'ntf_0002', 'ntf_0003'];
      const events = ['old', 'latest'].map((id) => ({ event: madeEvent({ id }), fingerprint: null, verdicts: [] }));
      await commitOne(one, madeDecision({ events, notifications: ids.map((id) => madeNotification({ id })) }));
      const expired = await Promise.all([one, two].map((store) => store.expireNotifications(late)));
      expect(expired.sort()).toEqual([0, 3]);
      expect(await two.notifications({ states: ['expired'] })).toMatchObject(ids.map((id) => ({ id, version: 2 })));
      const rules = { now: late, maxAgeMs: 1_000, maxBytes: 1e9, rawAgeMs: 1_000, deadAgeMs: 1_000 };
      const pruned = await Promise.all([one, two].map((store) => store.prune(rules)));
      expect(pruned.map(({ events }) => events).sort()).toEqual([0, 1]);
      for (const store of [one, two]) expect((await store.events({})).map(({ event }) => event.id)).toEqual(['latest']); // it stays, whatever its age
    });

    test('a clock set back does not keep anything waiting longer than it was to wait', async () => {
      const [store, other] = await both(driver);
      const day = 86_400_000;
      await store.addDelivery(madeDelivery({ due: NOON + 5_000 }));
      await store.setTimer({ id: 't', kind: 'hold', due: NOON + 2_000, data: {} }, NOON);
      expect(await store.compensateClock(NOON + 1)).toBe(0);
      expect(await other.compensateClock(NOON - day)).toBe(2);
      expect(await store.nextDue('team')).toBe(NOON - day + 5_000);
      expect(await nextTimer(store)).toBe(NOON - day + 2_000);
      expect(await timersDue(store, NOON - day + 2_000, 1)).toMatchObject([{ id: 't', due: NOON - day + 2_000 }]);
    });

    test('prunes by age and never what is undelivered or undecided', async () => {
      const store = await alone(driver);
      const states: readonly DeliveryState[] = ['sent', 'pending', 'paused', 'dead', 'superseded', 'leased'];
      for (const [i, state] of states.entries()) {
        await store.append(madeEntry({ id: `e${i}`, receivedAt: i }));
        await commitOne(
          store,
          madeDecision({
            entryId: `e${i}`,
            events: [{ event: madeEvent({ id: `e${i}`, at: i }), fingerprint: null, verdicts: [] }],
            deliveries: [madeDelivery({ id: state, eventId: `e${i}`, state, updatedAt: i })],
          }),
        );
      }
      await store.append(madeEntry({ id: 'undecided', receivedAt: 1 }));
      await commitOne(
        store,
        madeDecision({
          entryId: 'young',
          events: [{ event: madeEvent({ id: 'young', at: 5_000 }), fingerprint: null, verdicts: [] }],
        }),
      );
      const rules = { now: 10_000, maxAgeMs: 6_000, maxBytes: 1e9, rawAgeMs: 100, deadAgeMs: 6_000 };
      expect(await store.prune(rules)).toEqual({ events: 3, raws: 6, dead: 1, excess: 0 });
      expect((await store.deliveries({})).map((d) => d.id)).toEqual(['pending', 'paused', 'leased']);
      expect((await store.events({})).map((e) => e.event.id)).toEqual(['e1', 'e2', 'e5', 'young']);
      expect((await store.pendingEntries(9)).entries.map((e) => e.raw?.byteLength)).toEqual([2]);
      expect((await store.counts()).deliveries).toMatchObject({ pending: 1, paused: 1, leased: 1, sent: 0 });
    });

    test('prunes by size, oldest first', async () => {
      const store = await alone(driver);
      for (let i = 0; i < 400; i++)
        await commitOne(
          store,
          madeDecision({
            entryId: `e${i}`,
            events: [
              { event: madeEvent({ id: `e${i}`, at: i, message: 'x'.repeat(4_000) }), fingerprint: null, verdicts: [] },
            ],
          }),
        );
      const before = (await store.counts()).bytes;
      await store.prune({ now: 1_000, maxAgeMs: 1e9, maxBytes: before / 2, rawAgeMs: 1e9, deadAgeMs: 1e9 });
      const { bytes, events } = await store.counts();
      expect(bytes).toBeLessThanOrEqual(before / 2);
      expect(events).toBeGreaterThan(0);
      expect((await store.events({})).at(-1)?.event.id).toBe('e399');
    });
  });
}

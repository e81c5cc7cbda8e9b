// Upkeep: age, size, leases of the dead, a clock that was set back.
import { describe, expect, test } from 'vitest';
import type { DeliveryState } from '../../../src/model/delivery/delivery.ts';
import { madeDecision, madeDelivery, madeEntry, madeEvent, madeNotification, NOON } from '../../support/made.ts';
import { commitOne, settleOne } from '../../support/store-writes.ts';
import { nextTimer, timersDue } from '../../support/timers.ts';
import { CHANGES_KEPT, type Store, TIMER_LEASE_MS } from '../../../src/store/contract.ts';
import { alone, both, CLAIM, ended, type StoreDriver, withGone } from './driver.ts';
import { testExpiry } from './expiry.ts';
import { testRetention } from './retention.ts';

const madeTimer = (id: string) => ({ id, kind: 'hold', due: NOON, data: {} });
const DAY = 86_400_000;

/** The suite of the upkeep. */
export function testUpkeep(driver: StoreDriver<Store>): void {
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

    test("a delivery's lease of one that is gone comes back before it runs out, and its token counts no more", async () => {
      const [gone, here] = await withGone(driver);
      for (const channel of ['team', 'desk']) await gone.addDelivery(madeDelivery({ id: channel, channel }));
      const [lost] = await gone.claim('team', CLAIM);
      await gone.claim('desk', CLAIM);
      expect(await here.claim('team', CLAIM)).toEqual([]);
      expect(await here.reclaimLeases({ now: NOON, channel: 'team' })).toBe(1);
      expect(await here.claim('team', CLAIM)).toMatchObject([{ id: 'team', attempts: 0 }]);
      expect(await settleOne(gone, 'team', lost?.token ?? '', ended('sent'))).toBe(false);
      expect(await here.reclaimLeases({ now: NOON })).toBe(1);
      expect(await here.claim('desk', CLAIM)).toMatchObject([{ id: 'desk' }]);
    });

    test("a timer's lease of one that is gone comes back before it runs out", async () => {
      const [gone, here] = await withGone(driver);
      await gone.setTimer(madeTimer('t'), NOON);
      await gone.claimTimers(CLAIM);
      expect((await here.claimTimers(CLAIM)).timers).toEqual([]);
      expect(await here.reclaimLeases({ now: NOON })).toBe(1);
      expect((await here.claimTimers(CLAIM)).timers).toMatchObject([{ id: 't' }]);
      expect(await here.reclaimLeases({ now: NOON })).toBe(0);
    });

    test('no lease is longer than one can be, where the clock was set back', async () => {
      const [one, two] = await both(driver);
      await one.setTimer(madeTimer('t'), NOON);
      await one.claimTimers({ ...CLAIM, leaseMs: TIMER_LEASE_MS });
      await two.compensateClock(NOON - DAY);
      const { next } = await two.claimTimers({ ...CLAIM, now: NOON - DAY });
      expect(next).toBe(NOON - DAY + TIMER_LEASE_MS);
      const later = await two.claimTimers({ ...CLAIM, now: NOON - DAY + TIMER_LEASE_MS });
      expect(later.timers.map(({ id }) => id)).toEqual(['t']);
    });

    test('whoever has missed what is not kept any more is told so, and goes on from what there is', async () => {
      const [one, two] = await both(driver);
      const { cursor } = await two.changesSince(null, 0);
      for (const id of ['a', 'b']) await one.addDelivery(madeDelivery({ id }));
      const seen = await two.changesSince(cursor, 100);
      const kept = one.now() + CHANGES_KEPT + 1;
      await one.prune({ now: kept, maxAgeMs: 1e12, maxBytes: 1e12, rawAgeMs: 1e12, deadAgeMs: 1e12 });
      expect(await two.changesSince(cursor, 100)).toEqual({ changes: [], reset: true, cursor: seen.cursor });
      expect(await two.changesSince(seen.cursor, 100)).toEqual({ changes: [], reset: false, cursor: seen.cursor });
      await one.addDelivery(madeDelivery({ id: 'c' }));
      expect(await two.changesSince(seen.cursor, 100)).toMatchObject({ changes: [{ id: 'c' }], reset: false });
    });

    test('a group is found by nothing once it is gone', async () => {
      const store = await alone(driver);
      const group = madeNotification({
        id: 'ntf_group',
        threadKey: 'group:x',
        eventIds: ['one', 'three'],
        state: 'resolved',
      });
      await commitOne(store, madeDecision({ notifications: [group] }));
      const long = 10 * 24 * 3_600_000;
      const ages = { maxAgeMs: 1, maxBytes: 1e9, rawAgeMs: 1, deadAgeMs: 1 };
      await store.prune({ now: NOON + long, ...ages });
      expect(await store.notifications({ covers: ['three'] })).toEqual([]);
      expect(await store.notification('ntf_group')).toBeNull();
    });
  });
}

// The journal: an entry is kept once, and waits in its order until it is decided.
import { describe, expect, test } from 'vitest';
import { madeDecision, madeDelivery, madeEntry, madeEvent, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';
import type { Store } from '../../../src/store/contract.ts';
import { alone, both, type StoreDriver } from './driver.ts';
import { testUndecided } from './outbox-undecided.ts';

/** The suite of the journal. */
export function testJournal(driver: StoreDriver<Store>): void {
  testUndecided(driver);

  describe(`journal: ${driver.name}`, () => {
    test('journals an entry once, in order of startedAt, until it is decided', async () => {
      const store = await alone(driver);
      const late = madeEntry({ id: 'late', startedAt: NOON + 5 });
      const early = madeEntry({ id: 'early', startedAt: NOON + 1, raw: null });
      expect(await Promise.all([late, early, late].map((e) => store.append(e)))).toEqual(['new', 'new', 'known']);
      expect(await store.append(early)).toBe('known');
      const { entries: waiting } = await store.pendingEntries(10);
      expect(waiting).toEqual([early, late]);
      expect((await store.pendingEntries(1)).entries).toEqual([early]);
      const others = (limit: number, ...known: readonly string[]) => store.pendingEntries(limit, new Set(known));
      expect(await others(2, 'early')).toEqual({ entries: [late], isAll: true });
      expect(await others(1, 'none')).toEqual({ entries: [early], isAll: false });
      expect(await others(10, 'early', 'late')).toEqual({ entries: [], isAll: true });
      expect(await commitOne(store, madeDecision({ entryId: 'early', events: [] }))).toBe('written');
      expect((await store.pendingEntries(10)).entries.map((e) => e.id)).toEqual(['late']);
      expect(await store.entry('late')).toEqual(late);
      expect(await store.entry('none')).toBeNull();
    });

    test('an entry whose decision cannot be written waits on, and nothing of that is there', async () => {
      const store = await alone(driver);
      await store.append(madeEntry({ id: 'event-0002' }));
      const broken = { ...madeEvent({ id: 'event-0003' }), at: null as unknown as number };
      await expect(
        commitOne(
          store,
          madeDecision({
            entryId: 'event-0002',
            deliveries: [madeDelivery({ id: 'never' })],
            events: [
              { event: madeEvent({ id: 'event-0002' }), fingerprint: null, verdicts: [] },
              { event: broken, fingerprint: null, verdicts: [] },
            ],
          }),
        ),
      ).rejects.toThrow();
      expect((await store.pendingEntries(5)).entries.map((e) => e.id)).toEqual(['event-0002']);
      expect(await store.event('event-0002')).toBeNull();
    });

    test('an entry is kept once, whoever hands it in, and decided once, whoever is faster', async () => {
      const [one, two] = await both(driver);
      const appended = await Promise.all([one, two].map((store) => store.append(madeEntry({ id: 'e' }))));
      expect(appended.sort()).toEqual(['known', 'new']);
      for (const store of [one, two])
        expect((await store.pendingEntries(10)).entries.map(({ id }) => id)).toEqual(['e']);
      const decision = madeDecision({ entryId: 'e', events: [] });
      const committed = await Promise.all([one, two].map((store) => commitOne(store, decision)));
      expect(committed.sort()).toEqual(['already', 'written']);
      for (const store of [one, two]) expect((await store.pendingEntries(10)).entries).toEqual([]);
    });

    test('what one takes in the other reads whole, in order of startedAt, whoever took it in', async () => {
      const [one, two] = await both(driver);
      const entries = [3, 1, 2].map((n) => madeEntry({ id: `e${n}`, startedAt: NOON + n, orderingKey: 'k' }));
      for (const [i, entry] of entries.entries()) await (i === 1 ? two : one).append(entry);
      for (const store of [one, two]) {
        const { entries: found, isAll } = await store.pendingEntries(10);
        expect([found, isAll]).toEqual([[entries[1], entries[2], entries[0]], true]);
        expect((await store.pendingEntries(2)).isAll).toBe(false);
        expect(await store.entry('e2')).toEqual(entries[2]);
      }
    });
  });
}

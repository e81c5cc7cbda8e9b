// Timers: rows with a due time, each handled by one.
import { describe, expect, test } from 'vitest';
import type { SharedStore } from '../../../src/store/contract.ts';
import { NOON } from '../../support/made.ts';
import { nextTimer, timersDue } from '../../support/timers.ts';
import { alone, both, CLAIM, HOSTILE, type StoreDriver } from './driver.ts';

const made = (id: string, due = NOON) => ({ id, kind: 'hold', due, data: {} });

/** The suite of timers. */
export function testTimers(driver: StoreDriver): void {
  describe(`timers: ${driver.name}`, () => {
    test('set again a timer is another one, and cleared it is none, whatever its id', async () => {
      const [one, two] = await both(driver);
      await one.setTimer({ ...made('t', 50), data: { n: 1 } }, NOON);
      await two.setTimer({ ...made('t', 40), data: { n: 1 } }, NOON);
      await one.setTimer({ ...made('u', 45), kind: 'stall' }, NOON);
      expect(await nextTimer(two)).toBe(40);
      expect(await timersDue(two, 44)).toEqual([{ ...made('t', 40), data: { n: 1 } }]);
      await one.clearTimer('t');
      expect(await nextTimer(two)).toBe(45);
      for (const id of HOSTILE) await one.setTimer(made(id, 1), NOON);
      expect((await timersDue(two, 1)).map(({ id }) => id).sort()).toEqual([...HOSTILE].sort());
      for (const id of [...HOSTILE, 'u']) await two.clearTimer(id);
      expect(await nextTimer(one)).toBeNull();
    });

    test('each is claimed by one of them', async () => {
      const [one, two] = await both(driver);
      for (let i = 0; i < 20; i++) await one.setTimer(made(`t${i}`), NOON);
      const claims = [one, two, one, two, one, two, one, two].map((store) => store.claimTimers({ ...CLAIM, limit: 3 }));
      const claimed = (await Promise.all(claims)).flatMap(({ timers }) => timers.map(({ id }) => id));
      expect(claimed).toHaveLength(20);
      expect(new Set(claimed).size).toBe(20);
    });

    test('who comes second looks again', async () => {
      const [one, two] = await both(driver);
      await one.setTimer(made('t'), NOON);
      const claims = await Promise.all([one.claimTimers(CLAIM), two.claimTimers(CLAIM)]);
      expect(claims.map(({ timers }) => timers.length).toSorted()).toEqual([0, 1]);
      const second = claims.find(({ timers }) => timers.length === 0);
      expect(second?.next).not.toBeNull();
      expect((await two.claimTimers(CLAIM)).next).toBe(NOON + CLAIM.leaseMs);
    });

    test('a lease that ran out goes to the other, and its token counts no more', async () => {
      const [one, two] = await both(driver);
      await one.setTimer(made('t'), NOON);
      const [stale] = (await one.claimTimers(CLAIM)).timers;
      const [fresh] = (await two.claimTimers({ ...CLAIM, now: NOON + 1_000 })).timers;
      expect(fresh?.id).toBe('t');
      expect(await one.settleTimer('t', stale?.token ?? '', null, NOON)).toBe(false);
      expect(await two.settleTimer('t', fresh?.token ?? '', made('t', NOON + 9), NOON)).toBe(true);
      expect(await two.settleTimer('t', fresh?.token ?? '', null, NOON)).toBe(false);
      expect(await timersDue(one)).toEqual([made('t', NOON + 9)]);
    });

    test('a claim of timers says when there is another: it is due then, or its lease ends', async () => {
      const [one, two] = await both(driver);
      for (const [id, due] of [
        ['a', NOON],
        ['b', NOON],
        ['c', NOON + 5_000],
      ] as const)
        await one.setTimer({ id, kind: 'hold', due, data: {} }, NOON);
      const claim = async (store: SharedStore, more: Partial<Parameters<SharedStore['claimTimers']>[0]> = {}) => {
        const { timers, next } = await store.claimTimers({ ...CLAIM, ...more });
        return [timers.map(({ id }) => id).join(' '), next];
      };
      expect(await claim(one, { limit: 1 })).toEqual(['a', NOON]); // b is due
      expect(await claim(two)).toEqual(['b', NOON + 1_000]);
      expect(await claim(two)).toEqual(['', NOON + 1_000]);
      expect(await claim(two, { except: ['a', 'b'] })).toEqual(['', NOON + 5_000]);
      // What one of them still handles: by the other's clock its lease is over, and for itself it is in work all the same.
      const later = { now: NOON + 1_000 };
      expect(await claim(one, { ...later, except: ['a', 'b'] })).toEqual(['', NOON + 5_000]);
      expect(await claim(two, later)).toEqual(['a b', NOON + 5_000]);
      // Set again while it is handled, it is another one.
      await one.setTimer({ id: 'a', kind: 'hold', due: NOON + 1_500, data: {} }, NOON);
      expect(await claim(one, later)).toEqual(['', NOON + 1_500]);
    });

    test('timers by their ids, those that are set', async () => {
      const store = await alone(driver);
      for (const id of ['group:b', 'group:a', 'groups', 'storm:a'])
        await store.setTimer({ id, kind: 'group', due: NOON, data: { pending: true } }, NOON);
      const found = await store.timers(['storm:a', 'group:a', 'group:c', 'group:a']);
      expect(found.map(({ id }) => id).sort()).toEqual(['group:a', 'storm:a']);
      expect(await store.timers([])).toEqual([]);
    });
  });
}

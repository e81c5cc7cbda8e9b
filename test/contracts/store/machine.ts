// What a store keeps of the machine that it is on.
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/contract.ts';
import { both, type StoreDriver } from './driver.ts';

/** The suite of the machine. */
export function testMachine(driver: StoreDriver<Store>): void {
  describe(`machine: ${driver.name}`, () => {
    test('what is said of the machine has a version that grows, and is followed', async () => {
      const [one, two] = await both(driver);
      const { cursor } = await two.changesSince(null, 0);
      expect(await one.machine()).toBeNull();
      await one.setMachine({ since: 1, until: 9 });
      expect(await two.machine()).toEqual({ version: 1, state: { since: 1, until: 9 } });
      await two.setMachine(null);
      expect(await one.machine()).toEqual({ version: 2, state: null });
      const { changes } = await two.changesSince(cursor, 10);
      expect(changes.map(({ type, id }) => [type, id])).toEqual([
        ['machine', ''],
        ['machine', ''],
      ]);
    });

    test('how far somebody has come is known to whoever opens the store next', async () => {
      const [one, two] = await both(driver);
      expect(await two.cursor('k')).toBeNull();
      await one.setCursor('k', { page: 'x' });
      expect(await two.cursor('k')).toEqual({ page: 'x' });
    });
  });
}

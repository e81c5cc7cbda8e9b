// Changes: whoever follows misses none, and is told where some are not kept any more.
import { describe, expect, test } from 'vitest';
import { madeDecision, madeDelivery, madeNotification, madeSession } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';
import { alone, both, type StoreDriver } from './driver.ts';

/** The suite of changes. */
export function testChanges(driver: StoreDriver): void {
  describe(`changes: ${driver.name}`, () => {
    test('what one changes the other can follow', async () => {
      const [one, two] = await both(driver);
      let called = 0;
      const stop = one.watchChanges(() => called++);
      const start = await two.changesSince(null, 0);
      expect([start.changes, start.reset]).toEqual([[], false]);
      await commitOne(
        one,
        madeDecision({
          deliveries: [madeDelivery()],
          notifications: [madeNotification()],
          sessions: [madeSession()],
        }),
      );
      const { changes, reset, cursor } = await two.changesSince(start.cursor, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
        'delivery delivery-0001',
        'event event-0001',
        'notification ntf_0001',
        'session box/dev/generic/session-1',
      ]);
      expect([reset, called]).toEqual([false, 1]);
      // Whether the cursor itself is another one then is the store's own affair.
      for (const since of [cursor, null])
        expect(await two.changesSince(since, 100)).toMatchObject({ changes: [], reset: false });
      stop();
      await one.addDelivery(madeDelivery({ id: 'another' }));
      expect(called).toBe(1);
    });

    test('a row that is shown with what is kept elsewhere can be said to have changed', async () => {
      const [one, two] = await both(driver);
      const { cursor } = await two.changesSince(null, 0);
      let called = 0;
      const stop = one.watchChanges(() => called++);
      await one.touch([
        { type: 'session', id: 'box/dev/claude/s' },
        { type: 'notification', id: 'ntf_1' },
      ]);
      stop();
      const { changes } = await two.changesSince(cursor, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`)).toEqual([
        'session box/dev/claude/s',
        'notification ntf_1',
      ]);
      expect(called).toBe(1);
    });

    test('read a few at a time, none is left out and none comes twice', async () => {
      const [one, two] = await both(driver);
      let { cursor } = await one.changesSince(null, 0);
      for (let i = 0; i < 5; i++) await (i % 2 === 0 ? one : two).addDelivery(madeDelivery({ id: `d${i}` }));
      const seen: string[][] = [];
      for (;;) {
        const read = await two.changesSince(cursor, 2);
        expect(two.isCursor(read.cursor)).toBe(true);
        if (read.changes.length === 0) break;
        seen.push(read.changes.map(({ id }) => id));
        cursor = read.cursor;
      }
      expect(seen).toEqual([['d0', 'd1'], ['d2', 'd3'], ['d4']]);
    });

    test('a cursor of another database, or of none, is told to begin again', async () => {
      const store = await alone(driver);
      const fuller = await alone(driver);
      await store.addDelivery(madeDelivery());
      for (let i = 0; i < 9; i++) await fuller.addDelivery(madeDelivery({ id: `d${i}` }));
      const { cursor: ahead } = await fuller.changesSince(null, 0);
      for (const other of [ahead, 'no cursor', '']) {
        const { cursor, ...told } = await store.changesSince(other, 100);
        expect(told).toEqual({ changes: [], reset: true });
        await store.addDelivery(madeDelivery({ id: `after ${other}` }));
        const { changes } = await store.changesSince(cursor, 100);
        expect(changes.map(({ id }) => id)).toEqual([`after ${other}`]);
      }
      expect([ahead, 'no cursor', "1' or 1=1", ''].map((text) => store.isCursor(text))).toEqual([
        true,
        false,
        false,
        false,
      ]);
    });
  });
}

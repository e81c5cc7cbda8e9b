// Changes: whoever follows misses none, and is told where some are not kept any more.
import { describe, expect, test } from 'vitest';
import { CHANGES_KEPT } from '../../../src/store/contract.ts';
import { madeDecision, madeDelivery, madeNotification, madeSession } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';
import { both, type StoreDriver } from './driver.ts';

/** The suite of changes. */
export function testChanges(driver: StoreDriver): void {
  describe(`changes: ${driver.name}`, () => {
    test('what one changes the other can follow', async () => {
      const [one, two] = await both(driver);
      let called = 0;
      const stop = one.watchChanges(() => called++);
      const start = (await two.changesSince(0, 100)).last;
      await commitOne(
        one,
        madeDecision({
          deliveries: [madeDelivery()],
          notifications: [madeNotification()],
          sessions: [madeSession()],
        }),
      );
      const { changes, reset, last } = await two.changesSince(start, 100);
      expect(changes.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
        'delivery delivery-0001',
        'event event-0001',
        'notification ntf_0001',
        'session box/dev/generic/session-1',
      ]);
      expect([reset, called]).toEqual([false, 1]);
      expect(await two.changesSince(last, 100)).toEqual({ changes: [], reset: false, last });
      expect((await two.changesSince(last + 5, 100)).reset).toBe(true);
      stop();
      await one.addDelivery(madeDelivery({ id: 'another' }));
      expect(called).toBe(1);
      const kept = one.now() + CHANGES_KEPT + 1;
      await one.prune({ now: kept, maxAgeMs: 1e12, maxBytes: 1e12, rawAgeMs: 1e12, deadAgeMs: 1e12 });
      expect(await two.changesSince(start, 100)).toMatchObject({ changes: [], reset: true, last: last + 1 });
      expect((await two.changesSince(last + 1, 100)).reset).toBe(false);
    });
  });
}

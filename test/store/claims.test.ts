// Whatever is added, claimed, settled, moved and waited for: nobody holds what another holds, and each session's order stands.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DeliveryState, NO_RETRIES } from '../../src/model/delivery/delivery.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDelivery, NOON } from '../support/made.ts';
import { sqlite } from '../support/sqlite-driver.ts';
import { settleOne } from '../support/store-writes.ts';
import { both, CLAIM } from '../contracts/store/driver.ts';

const LEASE = 1_000;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), line: fc.nat(2), n: fc.constant(0) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      line: fc.constant(0),
      n: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('sent', 'pending', 'dead', 'paused'), line: fc.nat(5), n: fc.nat(900) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('park', 'unpark', 'revive'), line: fc.constant(0), n: fc.constant(0) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), line: fc.constant(0), n: fc.nat(1_500) }) },
);

test('claims are exclusive and only ever the first unfinished of a session', async () => {
  const folder = temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = await openStore(join(folder, `${run++}.db`));
      const lines = new Map<string, string>();
      let now = NOON;
      let held: { id: string; token: string; until: number }[] = [];
      for (const { do: what, line, n } of steps) {
        held = held.filter((h) => h.until > now);
        if (what === 'add') {
          const id = `d${String(lines.size).padStart(3, '0')}`;
          lines.set(id, `line-${line}`);
          await store.addDelivery(
            madeDelivery({ id, threadKey: `line-${line}`, due: now, createdAt: now, updatedAt: now }),
          );
        } else if (what === 'wait') now += n;
        else if (what === 'park') await store.transition({ channel: 'team', from: ['pending'] }, 'paused', now);
        else if (what === 'unpark') await store.transition({ channel: 'team', from: ['paused'] }, 'pending', now);
        else if (what === 'revive') await store.transition({ channel: 'team', from: ['dead'] }, 'pending', now);
        else if (what === 'claim') {
          for (const { id, token } of await store.claim('team', { now, leaseMs: LEASE, limit: n })) {
            expect(held.some((h) => h.id === id)).toBe(false);
            expect(held.some((h) => lines.get(h.id) === lines.get(id))).toBe(false);
            const open = (await store.deliveries({ states: ['pending', 'leased', 'paused'] })).map((d) => d.id);
            expect(open.find((other) => lines.get(other) === lines.get(id))).toBe(id);
            held.push({ id, token, until: now + LEASE });
          }
        } else {
          const one = held.splice(line, 1)[0];
          if (!one) continue;
          const attempt = {
            deliveryId: one.id,
            number: 1,
            at: now,
            ms: 0,
            ok: what === 'sent',
            reason: null,
            error: null,
            answer: null,
            status: null,
            next: what,
          };
          await settleOne(store, one.id, one.token, {
            attempt,
            state: what as DeliveryState,
            due: now + n,
            lastReason: null,
            lastError: null,
            counters: NO_RETRIES,
          });
        }
      }
      // Nothing is stuck: with every lease over and all paused ones released, all of it can be claimed and sent.
      now += 10 * LEASE;
      await store.transition({ channel: 'team', from: ['paused'] }, 'pending', now);
      for (let turn = 0; turn <= lines.size; turn++)
        for (const { id, token } of await store.claim('team', { now, leaseMs: LEASE, limit: 50 })) {
          const attempt = {
            deliveryId: id,
            number: 2,
            at: now,
            ms: 0,
            ok: true,
            reason: null,
            error: null,
            answer: null,
            status: null,
            next: 'sent',
          };
          await settleOne(store, id, token, {
            attempt,
            state: 'sent',
            due: now,
            lastReason: null,
            lastError: null,
            counters: NO_RETRIES,
          });
        }
      const left = await store.deliveries({ states: ['pending', 'leased', 'paused'] });
      await store.close();
      expect(left).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** Writes are made in the order in which they are asked for, so what is asked for first stands when a claim comes. */
const driver = sqlite('in order');

test('what another takes back, claims or pauses while a claim is under way is not claimed; what else is due is', async () => {
  const [one, two] = await both(driver);
  for (const id of ['d1', 'd2', 'd3']) await one.addDelivery(madeDelivery({ id, threadKey: id }));
  const cancelling = two.transition({ ids: ['d1'], from: ['pending'] }, 'cancelled', NOON);
  const [, claimed] = await Promise.all([cancelling, one.claim('team', { ...CLAIM, limit: 2 })]);
  expect(claimed.map(({ id }) => id)).toEqual(['d2']);
  const later = { ...CLAIM, now: NOON + CLAIM.leaseMs, limit: 1 };
  const found = await Promise.all([two.claim('team', later), one.claim('team', later)]);
  expect(found.map((leased) => leased.map(({ id }) => id))).toEqual([['d2'], ['d3']]);
  await one.release(found.flat(), NOON);
  const pausing = two.transition({ channel: 'team', from: ['pending'] }, 'paused', NOON);
  expect(await Promise.all([pausing, one.claim('team', later)])).toEqual([2, []]);
});

test('a row that is the first of its line no more, as another goes before it, is not claimed for having been', async () => {
  const [one, two] = await both(driver);
  await one.addDelivery(madeDelivery({ id: 'before', state: 'dead' }));
  await one.addDelivery(madeDelivery({ id: 'after' }));
  const replaying = two.transition({ ids: ['before'], from: ['dead'] }, 'pending', NOON);
  const [replayed, claimed] = await Promise.all([replaying, one.claim('team', CLAIM)]);
  expect([replayed, claimed.map(({ id }) => id)]).toEqual([1, ['before']]);
  expect(await two.claim('team', CLAIM)).toEqual([]);
});

// The queue of the spool: what comes at any place of a long one finds it by a few looks.
import { expect, test } from 'vitest';
import { SpoolQueue } from '../../../src/sources/spool/spool-queue.ts';

test('of 20,000 that wait, each of 2,000 more finds its place in fewer than twenty looks', () => {
  let looks = 0;
  const named = (at: number) => ({
    name: `${at}.event`,
    get order() {
      looks += 1;
      return at.toString().padStart(6, '0');
    },
  });
  const queue = new SpoolQueue();
  queue.addAll(Array.from({ length: 20_000 }, (_, i) => named(10 * i)));
  looks = 0;
  const more = Array.from({ length: 2_000 }, (_, i) => 10 * ((i * 7_919) % 20_000) + 5);
  for (const at of more) queue.add(named(at));
  expect(looks / more.length).toBeLessThan(80); // a look reads it up to four times
  const taken = Array.from({ length: 22_000 }, () => parseInt(queue.take()?.name ?? '', 10));
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  expect(queue.size).toBe(0);
});

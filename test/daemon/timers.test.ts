// The clock loop: due rows reach their keeper in time, after a restart too, and nothing ticks or spins.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTimers, type Keeper } from '../../src/daemon/timers.ts';
import { openStore } from '../../src/store/open.ts';
import { virtualClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/home.ts';

async function bench() {
  const clock = virtualClock();
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: clock.now });
  const seen: string[] = [];
  const keepers: Record<string, Keeper> = {
    once: async (timer) => {
      seen.push(timer.id);
      await store.clearTimer(timer.id);
    },
    sloppy: async (timer) => void seen.push(timer.id),
    broken: async (timer) => {
      seen.push(timer.id);
      throw new Error('no');
    },
  };
  const timers = createTimers({ store, clock, keepers, log: () => undefined });
  onTestFinished(async () => {
    await timers.stop();
    await store.close();
  });
  const set = (id: string, kind: string, after: number) =>
    store.setTimer({ id, kind, due: clock.now() + after, data: {} }, clock.now());
  return { clock, store, timers, seen, set };
}

test('each at its time, in order', async () => {
  const { clock, timers, seen, set } = await bench();
  await set('late', 'once', 90_000);
  await set('soon', 'once', 1_000);
  timers.start();
  await clock.advance(500);
  expect(seen).toEqual([]);
  await clock.advance(600);
  expect(seen).toEqual(['soon']);
  await clock.advance(90_000);
  expect(seen).toEqual(['soon', 'late']);
  expect(clock.pending).toBe(0);
});

test('what fell due while nobody looked comes at the start', async () => {
  const { clock, timers, seen, set } = await bench();
  await set('old', 'once', 1_000);
  clock.jump(86_400_000);
  timers.start();
  await clock.advance(1);
  expect(seen).toEqual(['old']);
});

test('a row added later, and a clock set forward', async () => {
  const { clock, timers, seen, set } = await bench();
  timers.start();
  await clock.advance(10_000);
  expect(clock.pending).toBe(0);
  await set('new', 'once', 3_600_000);
  timers.wake();
  await clock.advance(1);
  clock.jump(86_400_000);
  await clock.advance(60_000);
  expect(seen).toEqual(['new']);
});

test.each(['sloppy', 'broken', 'unknown'])('a keeper that is %s does not make it spin', async (kind) => {
  const { clock, timers, seen, set } = await bench();
  await set('row', kind, 0);
  timers.start();
  await clock.advance(59_000);
  expect(seen.length).toBeLessThanOrEqual(1);
  await clock.advance(3_600_000);
  expect(seen.length).toBeLessThanOrEqual(62);
});

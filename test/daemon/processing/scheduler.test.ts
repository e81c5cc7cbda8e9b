// The clock loop: due rows reach their handler in time, after a restart too, and nothing ticks or spins.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createScheduler } from '../../../src/daemon/processing/scheduler.ts';
import type { TimerHandler } from '../../../src/model/event/verdict.ts';
import { HERE } from '../../../src/model/session/whereabouts.ts';
import { openStore } from '../../../src/store/open.ts';
import { virtualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/home.ts';
import { timersDue } from '../../support/timers.ts';

async function bench() {
  const clock = virtualClock();
  const file = join(temporaryFolder(), 'belfry.db');
  const store = await openStore(file, { now: clock.now });
  const seen: string[] = [];
  const handlers: Record<string, TimerHandler> = {
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
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  handlers['slow'] = async (timer) => {
    seen.push(timer.id);
    await gate;
    await store.clearTimer(timer.id);
  };
  const timers = createScheduler({ store, clock, handlers, log: () => undefined });
  onTestFinished(async () => {
    letGo();
    await timers.stop();
    await store.close();
  });
  const set = (id: string, kind: string, after: number) =>
    store.setTimer({ id, kind, due: clock.now() + after, data: {} }, clock.now());
  return { clock, file, store, handlers, timers, seen, set, letGo };
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

test.each(['sloppy', 'broken', 'unknown'])('a handler that is %s does not make it spin', async (kind) => {
  const { clock, timers, seen, set } = await bench();
  await set('row', kind, 0);
  timers.start();
  await clock.advance(59_000);
  expect(seen.length).toBeLessThanOrEqual(1);
  await clock.advance(3_600_000);
  expect(seen.length).toBeLessThanOrEqual(62);
});

test('a slow one holds up no other, is begun once, and is waited for at the end', async () => {
  const { clock, store, timers, seen, set, letGo } = await bench();
  await set('slow', 'slow', 0);
  await set('soon', 'once', 10_000);
  await set('other', 'sloppy', 20_000);
  timers.start();
  await clock.advance(120_000);
  expect(seen).toEqual(['slow', 'soon', 'other', 'other']);
  let stopped = false;
  const end = timers.stop().then(() => {
    stopped = true;
  });
  await clock.advance(1_000);
  expect(stopped).toBe(false);
  letGo();
  await end;
  expect((await timersDue(store)).map(({ id }) => id)).toEqual(['other']);
});

test('more at once than may be in flight: all of them, in order', async () => {
  const { clock, timers, seen, set } = await bench();
  const ids = Array.from({ length: 350 }, (_, i) => `t${String(i).padStart(3, '0')}`);
  for (const [i, id] of ids.entries()) await set(id, 'once', i);
  clock.jump(1_000);
  timers.start();
  await clock.advance(1_000);
  expect(seen).toEqual(ids);
});

test.each([
  ['while it runs', false],
  ['while nobody ran', true],
])('a clock set back by a day %s: nothing waits longer than it was to', async (_name, down) => {
  const { clock, timers, seen, set } = await bench();
  await set('soon', 'once', 10_000);
  await set('late', 'once', 300_000);
  if (!down) {
    timers.start();
    await clock.advance(5_000);
  }
  clock.jump(-86_400_000);
  if (down) timers.start();
  await clock.advance(21_000);
  expect(seen).toEqual(['soon']);
  await clock.advance(300_000);
  expect(seen).toEqual(['soon', 'late']);
});

test('what a process that has ended was handling is handled by the next one at its start', async () => {
  const { clock, file, timers, seen, set } = await bench();
  await set('left', 'once', 0);
  const ended = await openStore(file, { now: clock.now, owner: `${HERE.host}:${process.pid}:1` });
  expect((await ended.claimTimers({ now: clock.now(), leaseMs: 3_600_000, limit: 9 })).timers).toHaveLength(1);
  await ended.close();
  timers.start();
  await clock.advance(1);
  expect(seen).toEqual(['left']);
});

test('of two over one database each handles what the other does not', async () => {
  const { clock, file, timers, handlers, seen, set, letGo } = await bench();
  const other = await openStore(file, { now: clock.now, owner: 'elsewhere:1:1' });
  const beside = createScheduler({ store: other, clock, handlers, log: () => undefined });
  onTestFinished(async () => {
    await beside.stop();
    await other.close();
  });
  await set('slow', 'slow', 0);
  timers.start();
  beside.start();
  await clock.advance(60_000);
  expect(seen).toEqual(['slow']);
  letGo();
  for (const id of ['a', 'b', 'c']) await set(id, 'once', 0);
  await clock.advance(60_000);
  expect(seen.sort()).toEqual(['a', 'b', 'c', 'slow']);
});

test('what it has claimed when it is stopped is left for the next one', async () => {
  const { clock, store, timers, seen, set } = await bench();
  await set('soon', 'once', 0);
  timers.start();
  await timers.stop();
  expect(seen).toEqual([]);
  const next = createScheduler({
    store,
    clock,
    handlers: { once: async ({ id }) => void seen.push(id) },
    log: () => 0,
  });
  onTestFinished(() => next.stop());
  next.start();
  await clock.advance(1);
  expect(seen).toEqual(['soon']);
});

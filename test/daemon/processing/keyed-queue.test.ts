// The keyed queue over a journal that is read in bounded pieces, with failures: everything once, in order within each key.
import { expect, test } from 'vitest';
import { createGivingUp } from '../../../src/daemon/processing/give-up.ts';
import { KeyedQueue, type Task } from '../../../src/daemon/processing/keyed-queue.ts';
import { virtualClock } from '../../support/clock.ts';
import { until } from '../../support/wait.ts';

interface Row {
  readonly id: string;
  readonly key: string;
  readonly order: number;
}

/** A journal of rows that are done once; `failing`: work that fails so often first. `most`: rows that one read gives at most. */
function bench({ most = Infinity, failing = new Map<string, number>(), arriving = (): boolean => false } = {}) {
  /** What of is on its way still, by key: when it began. */
  const onItsWay = new Map<string, number>();
  const clock = virtualClock();
  const journal: Row[] = [];
  const done: string[] = [];
  const backlogged: boolean[] = [];
  let reads: (() => void)[] = [];
  let unreadable = false;
  const running = new Set<string>();
  let held: Promise<void> = Promise.resolve();
  let release = (): void => undefined;
  const toTask = (row: Row): Task => ({
    ...row,
    work: async () => {
      expect(running.has(row.key)).toBe(false);
      running.add(row.key);
      await held;
      running.delete(row.key);
      const left = failing.get(row.id) ?? 0;
      failing.set(row.id, left - 1);
      if (left > 0) throw new Error('made to fail');
      journal.splice(journal.indexOf(row), 1);
      done.push(row.id);
    },
  });
  const queue = new KeyedQueue({
    backlog: async (limit, known) => {
      for (const read of reads) read();
      reads = [];
      if (unreadable) throw new Error('made unreadable');
      const others = journal.filter(({ id }) => !known.has(id)).sort((a, b) => a.order - b.order);
      return others.slice(0, Math.min(limit, most)).map(toTask);
    },
    isEarly: ({ key, order }) => (onItsWay.get(key) ?? Infinity) < order,
    arriving,
    backlogged: (is) => void backlogged.push(is),
    givingUp: createGivingUp({ giveUp: async () => undefined, log: () => undefined }),
    clock,
    log: () => undefined,
  });
  return {
    clock,
    queue,
    done,
    backlogged,
    journal,
    onItsWay,
    /** Journaled, and offered unless it is said to be left. */
    add: (id: string, key: string, offered = true, order = journal.length + done.length) => {
      const row = { id, key, order };
      journal.push(row);
      if (offered) queue.offer(toTask(row));
    },
    hold: () => {
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
    /** What begins from now on is not held. */
    holdNoMore: () => {
      held = Promise.resolve();
    },
    read: (next: boolean) => {
      unreadable = !next;
    },
  };
}

const keyOf = (id: string): string => id.split(':')[0] ?? '';
const inOrder = (done: readonly string[]): boolean => {
  const latest = new Map<string, number>();
  return done.every((id) => {
    const number = Number(id.split(':')[1]);
    const before = latest.get(keyOf(id)) ?? -1;
    latest.set(keyOf(id), number);
    return number > before;
  });
};

test.each([
  ['few', 30, Infinity],
  ['more than fit in flight', 3_000, Infinity],
  ['more than fit, read in small pieces', 3_000, 50],
])('%s: each is done once, in order within its key', async (_name, count, most) => {
  const b = bench({ most });
  b.hold();
  for (let i = 0; i < count; i++) b.add(`k${i % 40}:${i}`, `k${i % 40}`, i % 7 !== 0 || count > 1_000);
  b.release();
  b.queue.catchUp();
  await b.queue.idle();
  expect(new Set(b.done).size).toBe(count);
  expect(b.done).toHaveLength(count);
  expect(count > 1_000 ? inOrder(b.done) : true).toBe(true);
});

test('what something older may precede waits for it, and holds up no other key', async () => {
  const b = bench();
  b.onItsWay.set('a', 5);
  b.add('a:10', 'a', true, 10);
  b.add('b:11', 'b', true, 11);
  b.add('a:12', 'a', true, 12);
  await until(() => b.done.length > 0, 'the other key');
  expect(b.done).toEqual(['b:11']);
  b.onItsWay.clear();
  b.add('a:5', 'a', true, 5);
  await b.queue.idle();
  expect(b.done).toEqual(['b:11', 'a:5', 'a:10', 'a:12']);
});

test('what it waited for turns out to be nothing', async () => {
  const b = bench();
  b.onItsWay.set('a', 5);
  b.add('a:10', 'a', true, 10);
  await b.clock.advance(200);
  expect(b.done).toEqual([]);
  b.onItsWay.clear();
  await b.clock.advance(50);
  await b.queue.idle();
  expect(b.done).toEqual(['a:10']);
});

test('one that takes long holds up no other key after one came early', async () => {
  const b = bench();
  b.hold();
  b.add('slow:0', 'slow', true, 0);
  b.holdNoMore();
  b.onItsWay.set('a', 5);
  b.add('a:10', 'a', true, 10);
  await b.clock.advance(200);
  b.onItsWay.clear();
  await b.clock.advance(50);
  await until(() => b.done.length === 1, 'what came early');
  b.add('b:11', 'b', true, 11);
  await until(() => b.done.length === 2, 'what came later');
  b.release();
  await b.queue.idle();
  expect(b.done).toEqual(['a:10', 'b:11', 'slow:0']);
});

test('thousands that came early and thousands that precede them: in order', async () => {
  const b = bench({ most: 500 });
  const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
  for (const key of keys) b.onItsWay.set(key, 0);
  for (let i = 3_000; i < 6_000; i++) b.add(`k${i % 20}:${i}`, `k${i % 20}`, true, i);
  for (let i = 0; i < 3_000; i++) {
    for (const key of keys) b.onItsWay.set(key, i + 1);
    b.add(`k${i % 20}:${i}`, `k${i % 20}`, true, i);
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  b.onItsWay.clear();
  for (let i = 0; i < 40; i++) await b.clock.advance(50);
  await b.queue.idle();
  expect(b.done).toHaveLength(6_000);
  expect(inOrder(b.done)).toBe(true);
});

test('one that fails is tried again, and holds up no other key', async () => {
  const b = bench({ failing: new Map([['a:0', 2]]) });
  b.add('a:0', 'a');
  b.add('b:1', 'b');
  await b.queue.idle();
  expect(b.done).toEqual(['b:1']);
  await b.clock.advance(5_000);
  await b.queue.idle();
  await b.clock.advance(5_000);
  await b.queue.idle();
  expect(b.done).toEqual(['b:1', 'a:0']);
});

test('while the journal cannot be read, nothing overtakes what lies there', async () => {
  const b = bench();
  b.add('a:0', 'a', false);
  b.read(false);
  b.queue.catchUp();
  await b.clock.advance(1);
  b.add('a:1', 'a');
  await b.clock.advance(1);
  expect(b.done).toEqual([]);
  b.read(true);
  await b.clock.advance(5_000);
  await b.queue.idle();
  expect(b.done).toEqual(['a:0', 'a:1']);
});

test('what arrives meanwhile goes before: one task in four turns, each done all the same', async () => {
  const turns: number[] = [];
  const b = bench({ arriving: () => turns.push(b.done.length) < 40 });
  for (let i = 0; i < 30; i++) b.add(`k${i}:${i}`, `k${i}`);
  await b.queue.idle();
  expect(b.done).toHaveLength(30);
  expect(turns[39]).toBeLessThanOrEqual(4 + 10);
});

test('a backlog is said to be one, once, and to be over', async () => {
  const b = bench();
  for (let i = 0; i < 20; i++) b.add(`k${i}:${i}`, `k${i}`);
  await b.queue.idle();
  expect(b.backlogged).toEqual([]);
  for (let i = 0; i < 700; i++) b.journal.push({ id: `j${i}:${i}`, key: `j${i}`, order: i });
  b.queue.catchUp();
  await b.queue.idle();
  expect(b.done).toHaveLength(720);
  expect(b.backlogged).toEqual([true, false]);
});

test('a stop finishes what runs, and leaves the rest to the journal', async () => {
  const b = bench();
  b.hold();
  b.add('a:0', 'a');
  b.add('a:1', 'a');
  const stopped = b.queue.stop();
  b.add('b:2', 'b');
  b.release();
  await stopped;
  expect(b.done).toEqual(['a:0']);
  expect(b.journal.map(({ id }) => id)).toEqual(['a:1', 'b:2']);
});

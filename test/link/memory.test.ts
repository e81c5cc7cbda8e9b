// What a link remembers over restarts: in a real store, by another opener of it.
import { expect, test } from 'vitest';
import { type KeptBatch, type LinkState, newLink } from '../../src/link/chain.ts';
import { withMatch } from '../../src/link/forward.ts';
import { linkMemory } from '../../src/link/memory.ts';
import { BATCHES_KEPT, batchHash } from '../../src/model/link/batch.ts';
import { both } from '../contracts/store/driver.ts';
import { NOON } from '../support/made.ts';
import { sqlite } from '../support/sqlite-driver.ts';

const forwarding = withMatch(null, { after: 3, at: NOON, match: { cwd: ['~/work/**'], longer_than: 60_000 } });
const STATE: LinkState = newLink({ epoch: 'e1', cursor: '7', row: 3, forwarding }, NOON);
const batch = (serial: number): KeptBatch => ({
  id: `batch-${serial}`,
  serial,
  end: String(serial),
  inResync: false,
  row: serial,
  at: NOON,
});

test('what was saved is there for whoever opens the store next, for each hub by itself', async () => {
  const [one, two] = await both(sqlite('sqlite'));
  expect(await linkMemory('work', one).load()).toBeNull();
  await linkMemory('work', one).save(STATE);
  expect(await linkMemory('work', two).load()).toEqual(STATE);
  expect(await linkMemory('home', two).load()).toBeNull();
});

test('a batch that was noted before the process was killed keeps its number, and is found by its hash', async () => {
  const [one, two] = await both(sqlite('sqlite'));
  const killed = linkMemory('work', one);
  await killed.save({ ...STATE, serial: 4 });
  await killed.note(batch(4));
  await killed.note(batch(5));
  const next = linkMemory('work', two);
  expect(await next.load()).toEqual({ ...STATE, serial: 6 });
  expect(await next.find(batchHash('batch-4'), 6)).toEqual(batch(4));
  expect(await next.find(batchHash('batch-of-another'), 6)).toBeNull();
});

test('one that was not taken gives its number to the next', async () => {
  const [store] = await both(sqlite('sqlite'));
  const memory = linkMemory('work', store);
  await memory.note(batch(4));
  await memory.note({ ...batch(4), id: 'later' });
  expect(await memory.find(batchHash('later'), 4)).toMatchObject({ id: 'later' });
  expect(await memory.find(batchHash('batch-4'), 4)).toBeNull();
});

test('the last thousand are kept, and those of a round before are none of them', async () => {
  const [store] = await both(sqlite('sqlite'));
  const memory = linkMemory('work', store);
  for (const serial of [3, 4, 5, 3 + BATCHES_KEPT, 4 + BATCHES_KEPT]) await memory.note(batch(serial));
  await memory.save({ ...STATE, serial: 5 + BATCHES_KEPT });
  expect(await memory.load()).toMatchObject({ serial: 5 + BATCHES_KEPT });
  const find = (serial: number) => memory.find(batchHash(`batch-${serial}`), 5 + BATCHES_KEPT);
  expect([await find(4 + BATCHES_KEPT), await find(3 + BATCHES_KEPT)].map((found) => found?.serial)).toEqual([
    4 + BATCHES_KEPT,
    3 + BATCHES_KEPT,
  ]);
  expect([await find(3), await find(4), await find(5)]).toEqual([null, null, null]);
});

test('a value that is none of its own is as if there were none', async () => {
  const [store] = await both(sqlite('sqlite'));
  await store.setCursor('link:work', { v: 2 });
  expect(await linkMemory('work', store).load()).toBeNull();
});

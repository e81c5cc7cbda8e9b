// The numbers of `belfry pending`: each stands for one thing for good, also with two at once, a torn line, and where nothing can be kept.
import { appendFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listedLast, numberThings, thingNumbered } from '../../../src/cli/reading/pending-numbers.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';

const A = { id: 'qst_a', seen: 'first' };
const B = { id: 'ntf_b', seen: null };
const C = { id: 'qst_c', seen: 'third' };

function stateFolder() {
  const paths = pathsBelow(temporaryFolder());
  mkdirSync(paths.state, { recursive: true });
  return { paths, file: join(paths.state, 'pending-numbers') };
}

test('a thing keeps its number, what is new gets the next one, and what has changed is another thing', async () => {
  const { paths, file } = stateFolder();
  expect(await numberThings(paths, [A, B])).toEqual([1, 2]);
  expect(await numberThings(paths, [C, B])).toEqual([3, 2]);
  expect(await numberThings(paths, [{ ...A, seen: 'changed' }])).toEqual([4]);
  expect(await thingNumbered(paths, 1)).toEqual(A);
  expect(await thingNumbered(paths, 2)).toEqual(B);
  expect(await listedLast(paths, 'qst_a')).toEqual({ ...A, seen: 'changed' });
  expect(await listedLast(paths, 'qst_')).toBeNull();
  await expect(thingNumbered(paths, 5)).rejects.toThrow('nothing has the number 5');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('twenty lists at once agree', async () => {
  const { paths } = stateFolder();
  const lists = await Promise.all(Array.from({ length: 20 }, () => numberThings(paths, [A, B, C])));
  const last = await numberThings(paths, [A, B, C]);
  for (const numbers of lists) expect(numbers).toEqual(last);
  expect(new Set(last).size).toBe(3);
});

test('numbers begin at 1 again after a day without anything new, unless something that has one still waits', async () => {
  const { paths, file } = stateFolder();
  const age = (hours: number) =>
    utimesSync(file, Date.now() / 1_000 - hours * 3_600, Date.now() / 1_000 - hours * 3_600);
  await numberThings(paths, [A, B]);
  age(23);
  expect(await numberThings(paths, [C])).toEqual([3]);
  age(25);
  expect(await numberThings(paths, [C, { ...A, seen: 'changed' }])).toEqual([3, 4]);
  age(25);
  expect(await numberThings(paths, [B, { id: 'qst_d', seen: 'fourth' }])).toEqual([2, 5]);
  age(25);
  expect(await numberThings(paths, [{ id: 'qst_e', seen: 'fifth' }])).toEqual([1]);
});

test('a line that was cut short takes its number with it; where nothing can be kept there are none', async () => {
  const { paths, file } = stateFolder();
  await numberThings(paths, [A]);
  appendFileSync(file, '\nqst_');
  expect(await numberThings(paths, [A, C])).toEqual([1, 3]);
  await expect(thingNumbered(paths, 2)).rejects.toThrow('nothing has the number 2');
  const other = pathsBelow(temporaryFolder());
  writeFileSync(other.state, 'a file where the folder should be');
  expect(await numberThings(other, [A])).toEqual([null]);
});

// Turns of the event loop: a few pieces of work in each, and fewer while something arrives.
import { expect, test } from 'vitest';
import { TurnBudget } from '../../../src/daemon/processing/keyed-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Endless work; how much of it was begun in each of so many turns. */
async function begunIn(turns: number, arriving: () => boolean): Promise<readonly number[]> {
  let begun = 0;
  const begin = (): void => {
    while (budget.take()) begun++;
  };
  const budget = new TurnBudget(arriving, begin);
  const found: number[] = [];
  begin();
  for (let i = 0; i < turns; i++) {
    found.push(begun);
    begun = 0;
    await turn();
  }
  return found;
}

test('two in every turn while nothing arrives', async () => {
  expect(await begunIn(6, () => false)).toEqual([2, 2, 2, 2, 2, 2]);
});

test('one in every fourth turn while something arrives all the time', async () => {
  expect(await begunIn(10, () => true)).toEqual([2, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
});

test('as before in the turn after nothing arrived', async () => {
  const arrivals = [true, true, false, true, false];
  expect(await begunIn(6, () => arrivals.shift() ?? false)).toEqual([2, 0, 0, 2, 0, 2]);
});

test('nobody is called again who began nothing', async () => {
  let calls = 0;
  const budget = new TurnBudget(
    () => false,
    () => calls++,
  );
  await turn();
  expect(calls).toBe(0);
  expect(budget.take()).toBe(true);
  await turn();
  await turn();
  expect(calls).toBe(1);
});

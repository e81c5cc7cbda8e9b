// Abuse of the Node hook: whatever it meets, it exits 0 without a word and keeps the event where that is possible at all.
import { expect, test } from 'vitest';
import { runCase } from './abuse/run-case.ts';
import { CASES, casesFor } from './abuse/table.ts';

test('the table is as long as promised and names no case twice', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});

test.each(casesFor('node'))('$name', (abuse) => runCase(abuse, 'node'));

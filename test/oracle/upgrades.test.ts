// Databases that earlier versions left with everything pending: what goes on is what went on before.
import { expect, test } from 'vitest';
import { checkRecord } from './check.ts';
import { readRecord } from './recorded.ts';

test('a database of every schema since 5', { timeout: 600_000 }, async () => {
  const schemas = readRecord('upgrades').map(({ name }) => Number(/^schema-(\d+)-/.exec(name)?.[1]));
  expect(schemas).toEqual([5, 6, 7, 8, 9, 10, 11]);
  await checkRecord('upgrades');
});

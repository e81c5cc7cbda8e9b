// Databases that earlier versions left with everything pending: what goes on is what went on before.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from './program.ts';
import { recorded } from './recorded.ts';

const FOLDER = join(import.meta.dirname, 'databases');

interface Upgraded {
  readonly schema: number;
  readonly told: readonly string[];
}

test('a database of every schema since 5', { timeout: 600_000 }, async () => {
  const found = await ask<Upgraded>('upgrade', ...readdirSync(FOLDER).map((name) => join(FOLDER, name)));
  const before = new Map(recorded<Upgraded>('upgrades').map((one) => [one.schema, one.told]));
  expect(found.map(({ schema }) => schema).toSorted((a, b) => a - b)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  for (const { schema, told } of found) expect({ schema, told }).toEqual({ schema, told: before.get(schema) });
});

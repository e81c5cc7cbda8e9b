// Days that were recorded before decisions got one writer and one gate: everybody is told the same now, but for the differences that are named.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { size } from '../torture/size.ts';
import { buildOracle } from './build.ts';
import { recordedDays } from './recorded.ts';

/** How many of those that were recorded: a moment's worth, or all of them in the torture. */
const DAYS = process.env['BELFRY_TORTURE'] === undefined ? 100 : size(1_000, 400);

test(`${DAYS} recorded days`, { timeout: 3_600_000 }, async () => {
  const program = await buildOracle();
  const { stdout } = await promisify(execFile)(process.execPath, [program, '0', String(DAYS)], {
    maxBuffer: 256 * 1024 * 1024,
  });
  const lived = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly day: number; readonly told: readonly string[] });
  expect(lived.map(({ day }) => day)).toEqual(Array.from({ length: DAYS }, (_, i) => i));
  const recorded = recordedDays();
  const others = lived.filter(({ day, told }) => told.join('\n') !== recorded[day]?.told.join('\n'));
  // One day whole says more than the numbers of many.
  const [first] = others;
  expect({ days: others.map(({ day }) => day), told: first?.told ?? [] }).toEqual({
    days: [],
    told: first === undefined ? [] : recorded[first.day]?.told,
  });
});

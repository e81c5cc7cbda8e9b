// Days that were recorded before decisions got one writer and one gate: everybody is told the same now.
import { expect, test } from 'vitest';
import { size } from '../torture/size.ts';
import { ask } from './program.ts';
import { recorded } from './recorded.ts';

/** How many of those that were recorded: a moment's worth, or all of them in the torture. */
const DAYS = process.env['BELFRY_TORTURE'] === undefined ? 100 : size(1_000, 400);

interface LivedDay {
  readonly day: number;
  readonly told: readonly string[];
}

test(`${DAYS} recorded days`, { timeout: 3_600_000 }, async () => {
  const lived = await ask<LivedDay>('days', '0', String(DAYS));
  expect(lived.map(({ day }) => day)).toEqual(Array.from({ length: DAYS }, (_, i) => i));
  const before = recorded<LivedDay>('days');
  const others = lived.filter(({ day, told }) => told.join('\n') !== before[day]?.told.join('\n'));
  // One day whole says more than the numbers of many.
  const [first] = others;
  expect({ days: others.map(({ day }) => day), told: first?.told ?? [] }).toEqual({
    days: [],
    told: first === undefined ? [] : before[first.day]?.told,
  });
});

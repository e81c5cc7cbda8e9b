// Days that were recorded before decisions got one writer and one gate: everybody is told the same now, but for what differs on purpose.
import { availableParallelism } from 'node:os';
import { test } from 'vitest';
import { size } from '../torture/size.ts';
import { checkRecord } from './check.ts';

const isTorture = process.env['BELFRY_TORTURE'] !== undefined;
/** How many of those that were recorded: a moment's worth, or all of them in the torture. */
const DAYS = isTorture ? size(Infinity, 400) : 100;

test('recorded days', { timeout: 10_800_000 }, () =>
  checkRecord('days', (i) => i < DAYS, isTorture ? availableParallelism() : 1),
);

// Days of outages and storms that were recorded before decisions got one writer and one gate: everybody hears the same now, but for what differs on purpose.
import { availableParallelism } from 'node:os';
import { test } from 'vitest';
import { checkRecord } from './check.ts';

const isTorture = process.env['BELFRY_TORTURE'] !== undefined;
/** How many of those that were recorded: a moment's worth, or all of them in the torture. */
const DAYS = isTorture ? Infinity : 8;

test('recorded days of outages', { timeout: 10_800_000 }, () =>
  checkRecord('outage-days', (i) => i < DAYS, isTorture ? availableParallelism() : 1),
);

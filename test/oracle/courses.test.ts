// What real clients did, and what was made by hand, under settings of several kinds: everybody is told what they were told before.
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { size } from '../torture/size.ts';
import { checkRecord } from './check.ts';
import { courseNames } from './courses.ts';
import { readRecord } from './recorded.ts';

const isTorture = process.env['BELFRY_TORTURE'] !== undefined;
/** Every so many: a moment's worth, in which every setting occurs, or all of them in the torture. */
const EVERY = isTorture ? size(1, 4) : 10;

test('every course is recorded under every setting', () => {
  expect(readRecord('courses').map(({ name }) => name)).toEqual(courseNames());
});

test('recorded courses', { timeout: 3_600_000 }, () =>
  checkRecord('courses', (i) => i % EVERY === 0, isTorture ? availableParallelism() : 1),
);

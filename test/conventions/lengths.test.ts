// Files and functions have an end. What is usual is less, and advice: `npm run advice` lists what is longer.
import { expect, test } from 'vitest';
import { fileLengths, functionLengths } from './lengths.ts';

test('no source file is longer than 400 lines', () => {
  expect(fileLengths().filter(({ lines }) => lines > 400)).toEqual([]);
});

test('no function is longer than 100 lines', { timeout: 120_000 }, () => {
  expect(functionLengths().filter(({ lines }) => lines > 100)).toEqual([]);
});

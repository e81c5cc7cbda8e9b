// The table of what differs on purpose names what does, and nothing else.
import { expect, test } from 'vitest';
import { DIFFERENCES, REASONS } from './differences.ts';
import { expected, readRecord, RECORDS } from './recorded.ts';

test.each(RECORDS)('%s', (record) => {
  const before = new Map(readRecord(record).map(({ name, told }) => [name, told.join('\n')]));
  const differing = [...expected(record)].filter(([name, told]) => told.join('\n') !== before.get(name));
  const named = DIFFERENCES.filter((row) => row.record === record).map(({ name }) => name);
  expect(differing.map(([name]) => name).toSorted()).toEqual(named.toSorted());
});

test('each has a finding, and each finding a reason', () => {
  const unknown = DIFFERENCES.filter(
    ({ findings }) => findings.length === 0 || !findings.every((finding) => Object.hasOwn(REASONS, finding)),
  );
  expect(unknown).toEqual([]);
});

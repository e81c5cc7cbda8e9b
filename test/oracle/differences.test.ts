// The table of what differs on purpose names what does, and nothing else.
import { expect, test } from 'vitest';
import { DIFFERENCES } from './differences.ts';
import { expected, readRecord, RECORDS } from './recorded.ts';

test.each(RECORDS)('%s', (record) => {
  const before = new Map(readRecord(record).map(({ name, told }) => [name, told.join('\n')]));
  const differing = [...expected(record)].filter(([name, told]) => told.join('\n') !== before.get(name));
  const named = DIFFERENCES.filter((row) => row.record === record).flatMap(({ names }) => names);
  expect(differing.map(([name]) => name).toSorted()).toEqual([...new Set(named)].toSorted());
});

// The one assertion of all records: everybody is told what they have to be.
import { expect } from 'vitest';
import { accounts } from './program.ts';
import { expected, type RecordName } from './recorded.ts';

/** Lets the first `count` of them happen again, `workers` at once; all unless given. */
export async function checkRecord(record: RecordName, count = Infinity, workers = 1): Promise<void> {
  const has = expected(record);
  const names = [...has.keys()].slice(0, count);
  const told = new Map<string, readonly string[]>();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const own = names.filter((_, i) => i % workers === worker);
      for await (const account of accounts(record, own)) told.set(account.name, account.told);
    }),
  );
  const others = names.filter((name) => told.get(name)?.join('\n') !== has.get(name)?.join('\n'));
  // One whole says more than the names of many; `compare.ts` shows them all.
  const [first] = others;
  expect({ others, told: first && told.get(first) }).toEqual({ others: [], told: first && has.get(first) });
}

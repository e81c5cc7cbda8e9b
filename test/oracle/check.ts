// The one assertion of all records: everybody is told what they have to be.
import { expect } from 'vitest';
import { accounts } from './program.ts';
import { expected, type RecordName } from './recorded.ts';

/** Lets those of a record that are chosen by their place in it happen again, `workers` at once. */
export async function checkRecord(record: RecordName, isChosen = (_: number) => true, workers = 1): Promise<void> {
  const has = expected(record);
  const names = [...has.keys()].filter((_, i) => isChosen(i));
  const told = new Map<string, readonly string[]>();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const own = names.filter((_, i) => i % workers === worker);
      if (own.length === 0) return;
      for await (const account of accounts(record, own)) told.set(account.name, account.told);
    }),
  );
  const others = names.filter((name) => told.get(name)?.join('\n') !== has.get(name)?.join('\n'));
  // One whole says more than the names of many; `compare.ts` shows them all.
  const [first] = others;
  expect({ others, told: first && told.get(first) }).toEqual({ others: [], told: first && has.get(first) });
}

// Writes down what the code of now tells: `tsx test/oracle/record.ts RECORD NAME...`, for a record that is new; `record.ts differences RECORD NAME...`,
// for some of what differs on purpose, and `record.ts differences`, for all of it.
import { DIFFERENCES } from './differences.ts';
import { accounts } from './program.ts';
import { type Account, type DifferingAccount, readRecord, type RecordName, RECORDS, writeRecord } from './recorded.ts';

const [what = '', ...words] = process.argv.slice(2);

async function differing(record: RecordName, names: readonly string[]): Promise<readonly DifferingAccount[]> {
  const told: DifferingAccount[] = [];
  for await (const account of accounts(record, names)) told.push({ record, ...account });
  return told;
}

const keyOf = ({ record, name }: { readonly record: RecordName; readonly name: string }): string => `${record} ${name}`;

if (what === 'differences') {
  const [only, ...names] = words as [RecordName?, ...string[]]; // named by a developer
  const found = new Map<string, DifferingAccount>();
  if (only !== undefined) for (const one of readRecord<DifferingAccount>('differences')) found.set(keyOf(one), one);
  for (const record of only === undefined ? RECORDS : [only]) {
    const all = DIFFERENCES.filter((row) => row.record === record).map(({ name }) => name);
    if (all.length === 0) continue;
    for (const one of await differing(record, only === undefined ? all : names)) found.set(keyOf(one), one);
  }
  const told = DIFFERENCES.flatMap((row) => found.get(keyOf(row)) ?? []);
  process.stdout.write(`differences: ${told.length}, ${writeRecord('differences', told)} bytes\n`);
} else {
  const told: Account[] = [];
  for await (const account of accounts(what as RecordName, words)) told.push(account); // named by a developer
  process.stdout.write(`${what}: ${told.length}, ${writeRecord(what as RecordName, told)} bytes\n`);
}

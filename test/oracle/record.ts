// Writes down what the code of now tells: `tsx test/oracle/record.ts RECORD NAME...`, for a record that is new, or `record.ts differences`, for what differs on purpose.
import { DIFFERENCES } from './differences.ts';
import { accounts } from './program.ts';
import { type Account, type DifferingAccount, type RecordName, writeRecord } from './recorded.ts';

const [what = '', ...names] = process.argv.slice(2);
const found: Account[] = [];
if (what === 'differences') {
  for (const record of new Set(DIFFERENCES.map((row) => row.record))) {
    const rows = DIFFERENCES.filter((row) => row.record === record);
    for await (const account of accounts(record, [...new Set(rows.flatMap((row) => row.names))])) {
      const differing: DifferingAccount = { record, ...account };
      found.push(differing);
    }
  }
  process.stdout.write(`differences: ${found.length}, ${writeRecord('differences', found)} bytes\n`);
} else {
  const record = what as RecordName; // named by a developer
  for await (const account of accounts(record, names)) found.push(account);
  process.stdout.write(`${record}: ${found.length}, ${writeRecord(record, found)} bytes\n`);
}

// Writes down what the code of now tells: `tsx test/oracle/record.ts RECORD NAME...`, for a record that is new, or `record.ts differences`, for what differs on purpose.
import { DIFFERENCES } from './differences.ts';
import { accounts } from './program.ts';
import { type Account, type DifferingAccount, type RecordName, writeRecord } from './recorded.ts';

const [what = '', ...names] = process.argv.slice(2);
const told: Account[] = [];
if (what === 'differences') {
  for (const record of new Set(DIFFERENCES.map((row) => row.record))) {
    const differing = DIFFERENCES.filter((row) => row.record === record).map(({ name }) => name);
    for await (const account of accounts(record, differing)) {
      const found: DifferingAccount = { record, ...account };
      told.push(found);
    }
  }
  process.stdout.write(`differences: ${told.length}, ${writeRecord('differences', told)} bytes\n`);
} else {
  const record = what as RecordName; // named by a developer
  for await (const account of accounts(record, names)) told.push(account);
  process.stdout.write(`${record}: ${told.length}, ${writeRecord(record, told)} bytes\n`);
}

// Prints what everybody is told in days of a record, a line of JSON each: `node oracle.mjs RECORD NAME...`; all courses where none is named.
// Built in one file, where nothing is loaded while a day goes on.
import './machine.ts';
import { courseNames, played } from './courses.ts';
import { dayOf, live } from './day.ts';
import { outageDayOf } from './outage-day.ts';
import type { Account, RecordName } from './recorded.ts';
import { upgraded } from './upgrade.ts';

const TOLD: Readonly<Record<RecordName, (name: string) => Promise<readonly string[]>>> = {
  days: (number) => live(dayOf(Number(number))),
  'outage-days': (number) => live(outageDayOf(Number(number))),
  upgrades: upgraded,
  courses: played,
};

const [record, ...names] = process.argv.slice(2);
const told = TOLD[record as RecordName]; // checked by whoever asks
for (const name of names.length === 0 && record === 'courses' ? courseNames() : names) {
  const account: Account = { name, told: await told(name) };
  process.stdout.write(`${JSON.stringify(account)}\n`);
}
process.exit(0);

// Prints what random days tell, a line of JSON each: `node oracle.mjs days FROM COUNT`; or what goes on after an upgrade: `node oracle.mjs upgrade FILE...`.
// Built in one file, where nothing is loaded while a day goes on.
import './machine.ts';
import { basename } from 'node:path';
import { dayOf, live } from './day.ts';
import { upgraded } from './upgrade.ts';

const [what, ...more] = process.argv.slice(2);
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
if (what === 'upgrade') {
  for (const file of more) {
    const [, schema, madeAt] = /^schema-(\d+)-(\d+)\.db\.br$/.exec(basename(file)) ?? [];
    print({ schema: Number(schema), told: await upgraded(file, Number(madeAt)) });
  }
} else {
  const [from = 0, count = 1] = more.map(Number);
  for (let day = from; day < from + count; day++) print({ day, told: await live(dayOf(day)) });
}
process.exit(0);

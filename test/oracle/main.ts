// Prints what random days tell, a line of JSON each: `node oracle.mjs FROM COUNT`. Built in one file, where nothing is loaded while a day goes on.
import { dayOf, live } from './day.ts';

process.env['TZ'] = 'UTC';
const [from = 0, count = 1] = process.argv.slice(2).map(Number);
for (let day = from; day < from + count; day++) {
  const told = await live(dayOf(day));
  process.stdout.write(`${JSON.stringify({ day, told })}\n`);
}
process.exit(0);

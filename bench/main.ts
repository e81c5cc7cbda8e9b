// npm run bench [-- --json | --compare FILE | --only NAME | --full | --write]: the figures of goals and documentation, measured here.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import type { Measure, Section } from './measure.ts';
import { writePage } from './page.ts';
import { comparison, type Report, terminalTable } from './report.ts';
import { CHANNEL_SECTIONS } from './sections/channels.ts';
import { COLD_SECTIONS } from './sections/cold.ts';
import { CALL_SECTIONS } from './sections/system-calls.ts';
import { DAEMON_SECTIONS } from './sections/daemon.ts';
import { DECISION_SECTIONS } from './sections/decision.ts';
import { FULL_DATABASE_SECTIONS } from './sections/full-database.ts';
import { HAND_OVER_SECTIONS } from './sections/hand-over.ts';
import { PROCESS_SECTIONS } from './sections/process.ts';
import { PRESENCE_SECTIONS } from './sections/presence.ts';
import { SIGNAL_SECTIONS } from './sections/signals.ts';
import { WORK_SECTIONS } from './sections/work.ts';

const SECTIONS: readonly Section[] = [
  ...PROCESS_SECTIONS,
  ...COLD_SECTIONS,
  ...HAND_OVER_SECTIONS,
  ...DECISION_SECTIONS,
  ...WORK_SECTIONS,
  ...DAEMON_SECTIONS,
  ...FULL_DATABASE_SECTIONS,
  ...CHANNEL_SECTIONS,
  ...CALL_SECTIONS,
  ...PRESENCE_SECTIONS,
  ...SIGNAL_SECTIONS,
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    compare: { type: 'string' },
    only: { type: 'string', multiple: true },
    full: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

if (values.write && values.only) {
  process.stderr.write('bench: --write replaces the whole page: leave --only away\n');
  process.exit(2);
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const before = values.compare ? (JSON.parse(readFileSync(values.compare, 'utf8')) as Report) : null;
const chosen = SECTIONS.filter(({ name }) => !values.only || values.only.includes(name));
if (chosen.length === 0) {
  process.stderr.write(`bench: no such part; choose of ${SECTIONS.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
const machine = describeMachine();
const measures: Measure[] = [];
for (const { name, about, run } of chosen) {
  if (!values.json) process.stdout.write(`\n${name}: ${about}\n`);
  const found = await run({ full: values.full });
  measures.push(...found);
  if (!values.json) process.stdout.write(`${terminalTable(found)}\n`);
}
const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
const report: Report = { command, at: new Date().toISOString(), version, machine, measures };
if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
if (before) process.stdout.write(`\nAgainst ${values.compare} of ${before.at}:\n${comparison(before, measures)}\n`);
if (values.write) writePage(report, SECTIONS);

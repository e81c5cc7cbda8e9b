// The result of a run: as a table on the terminal, as Markdown, as JSON.
import Table from 'cli-table3';
import type { Machine } from './machine.ts';
import type { Measure } from './measure.ts';

/** All of one run. `--json` prints it, `--compare` reads it. */
export interface Report {
  readonly command: string;
  /** ISO. */
  readonly at: string;
  readonly version: string;
  readonly machine: Machine;
  readonly measures: readonly Measure[];
}

const HEAD = ['what', 'runs', 'median', 'p95', 'p99', 'ratio', 'goal', 'met'];

/** A number with as many digits as it deserves. */
export function figure(value: number | undefined, unit: Measure['unit']): string {
  if (value === undefined) return '';
  if (Number.isNaN(value)) return 'not measurable here';
  if (unit === 'bytes' || unit === 'count') return `${value.toLocaleString('en')}${unit === 'bytes' ? ' bytes' : ''}`;
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function cells(measure: Measure): string[] {
  const { name, unit, runs, value, p95, p99, ratio, against, goal, met } = measure;
  return [
    name,
    String(runs),
    figure(value, unit),
    figure(p95, unit),
    figure(p99, unit),
    ratio === undefined ? '' : `${ratio.toFixed(2)} x ${against}`,
    goal ?? '',
    met === undefined ? '' : met ? 'yes' : 'no',
  ];
}

/** Plain table for people. */
export function terminalTable(measures: readonly Measure[]): string {
  const table = new Table({ head: HEAD, style: { head: [], border: [] } });
  table.push(...measures.map(cells));
  return table.toString();
}

/** The same in Markdown. */
export function markdownTable(measures: readonly Measure[]): string {
  const line = (row: readonly string[]): string => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(HEAD), line(HEAD.map(() => '---')), ...measures.map((measure) => line(cells(measure)))].join('\n');
}

/** Change of each measure against an earlier run. */
export function comparison(before: Report, now: readonly Measure[]): string {
  const table = new Table({ head: ['what', 'before', 'now', 'change'], style: { head: [], border: [] } });
  for (const { section, name, unit, value } of now) {
    const old = before.measures.find((measure) => measure.section === section && measure.name === name);
    table.push([`${section}: ${name}`, figure(old?.value, unit), figure(value, unit), changeOf(old?.value, value)]);
  }
  return table.toString();
}

function changeOf(old: number | undefined, value: number): string {
  if (old === undefined) return 'new';
  const percent = ((value - old) / old) * 100;
  return Number.isFinite(percent) ? `${percent.toFixed(1)} %` : ''; // from nothing there is no change in per cent
}

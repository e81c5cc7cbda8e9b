// A table for a terminal: numbers to the right, a bar for each day, the total below, colour for states.
import { createColors } from 'picocolors';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Io } from '../io.ts';
import { cell } from './cell.ts';
import { at } from './path.ts';

type Row = Readonly<Record<string, unknown>>;

const BAR = 12;
const GAP = '  ';

/** `text`: a row's words in a column. */
export function drawTable(
  rows: readonly Row[],
  columns: readonly string[],
  endpoint: Endpoint,
  text: (column: string, row: Row) => string,
  io: Pick<Io, 'color' | 'columns'>,
): string {
  const colors = createColors(io.color);
  const isNumber = (value: unknown): boolean => value === undefined || value === null || typeof value === 'number';
  const numeric = columns.map((column) => rows.every((row) => isNumber(at(row, column))));
  const total = totals(rows, columns, endpoint);
  const body = [...rows.map((row) => columns.map((column) => text(column, row))), ...(total ? [total] : [])];
  const titles = columns.map((column) => column.replace(/^group_key$/, 'group').replaceAll('_', ' '));
  const widths = titles.map((title, i) =>
    body.reduce((most, cells) => Math.max(most, wide(cells[i] ?? '')), wide(title)),
  );
  const bars = barsOf(rows, endpoint.headline);
  const line = (cells: readonly string[], bar: string): string => {
    const padded = cells.map((words, i) =>
      numeric[i]
        ? words.padStart((widths[i] ?? 0) - wide(words) + words.length)
        : words + ' '.repeat((widths[i] ?? 0) - wide(words)),
    );
    const [first = '', ...others] = padded;
    return cut([first, ...(bars ? [bar.padEnd(BAR)] : []), ...others].join(GAP).trimEnd(), io.columns);
  };
  const painted = (words: string, row: Row | undefined): string => {
    const state = row?.['status'];
    if (state === 'error') return colors.red(words);
    if (state === 'active' || state === 'idle') return colors.green(words);
    return typeof state === 'string' ? colors.yellow(words) : words;
  };
  return [
    colors.bold(line(titles, '')),
    ...body.map((cells, i) =>
      i < rows.length ? painted(line(cells, bars?.[i] ?? ''), rows[i]) : colors.dim(line(cells, '')),
    ),
  ].join('\n');
}

/** Sums of the columns that may be added up; only below days, and only when there are several. */
function totals(rows: readonly Row[], columns: readonly string[], endpoint: Endpoint): string[] | null {
  const summed = new Set(endpoint.totals);
  if (rows.length < 2 || !columns.some((column) => summed.has(column))) return null;
  return columns.map((column, i) => {
    if (i === 0) return 'total';
    if (!summed.has(column)) return '';
    return cell(
      column,
      rows.reduce((sum, row) => sum + Number(at(row, column) ?? 0), 0),
      'grouped',
    );
  });
}

function barsOf(rows: readonly Row[], headline: string | undefined): string[] | null {
  if (headline === undefined) return null;
  const values = rows.map((row) => Number(at(row, headline) ?? 0));
  const most = values.reduce((a, b) => Math.max(a, b), 1);
  return values.map((value) => '▇'.repeat(Math.round((value / most) * BAR)));
}

/** Columns a text takes, near enough: code points. */
const wide = (text: string): number => [...text].length;

const cut = (text: string, columns: number): string => {
  const points = [...text];
  return points.length <= columns ? text : `${points.slice(0, Math.max(1, columns - 1)).join('')}…`;
};

// The service's rows as a table: numbers to the right, a bar for each row, the total below, colour for states.
import { createColors } from 'picocolors';
import type { Endpoint } from '../../../api/contract/endpoint.ts';
import { drawTable } from '../../output/draw-table.ts';
import type { Io } from '../../io.ts';
import { bar } from './bars.ts';
import { cell } from './cell.ts';
import { at } from './value-at-path.ts';

type Row = Readonly<Record<string, unknown>>;

/** `text`: a row's words in a column. `part`: more rows follow elsewhere, so nothing is added up. */
export function drawRows(
  rows: readonly Row[],
  columns: readonly string[],
  endpoint: Endpoint,
  text: (column: string, row: Row) => string,
  io: Pick<Io, 'color' | 'columns'>,
  part = false,
): string {
  const colors = createColors(io.color);
  const { rest, headline } = endpoint;
  const total = part ? null : totals(rows, columns, endpoint);
  const isNumber = (value: unknown): boolean => value === undefined || value === null || typeof value === 'number';
  const numbers = (row: Row): number => Number(at(row, headline ?? '') ?? 0);
  const most = rows.reduce((max, row) => Math.max(max, numbers(row)), 0);
  const drawn = columns.map((name, i) => ({
    name,
    cells: [...rows.map((row) => text(name, row)), ...(total ? [total[i] ?? ''] : [])],
    lines: name === rest?.column ? rest.lines : undefined,
    // Times are numbers to the service, not to a reader.
    numeric: !name.endsWith('At') && rows.every((row) => isNumber(at(row, name))),
  }));
  const lines = drawTable(drawn, io.columns, {
    head: colors.bold,
    note: colors.dim,
    row: (line, i) => {
      const row = rows[i];
      return row ? paint(line, row, colors) : colors.dim(line);
    },
    ...(headline === undefined
      ? {}
      : {
          bar: {
            width: barWidth(io.columns),
            of: (i: number, width: number) => (rows[i] ? bar(numbers(rows[i]), most, width) : ''),
          },
        }),
    otherwise: 'widen the terminal, or use --csv or --json',
  });
  return lines.join('\n');
}

const barWidth = (columns: number): number => (columns >= 120 ? 20 : columns >= 80 ? 12 : 8);

function paint(words: string, row: Row, colors: ReturnType<typeof createColors>): string {
  const state = row['status'];
  if (state === 'error') return colors.red(words);
  if (state === 'active' || state === 'idle') return colors.green(words);
  return typeof state === 'string' ? colors.yellow(words) : words;
}

/** Sums of the columns that may be added up; only below rows of which there are several. */
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

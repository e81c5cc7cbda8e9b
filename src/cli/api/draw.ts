// A table for a terminal: numbers to the right, a bar for each row, the total below, colour for states.
import { createColors } from 'picocolors';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Io } from '../io.ts';
import { bar } from './bars.ts';
import { cell } from './cell.ts';
import { GAP, headerLines, layOut, wrap } from './layout.ts';
import { at } from './path.ts';
import { columnsOf } from './width.ts';

type Row = Readonly<Record<string, unknown>>;

/** `text`: a row's text in a column. `part`: more rows follow elsewhere, so nothing is added up. */
export function drawTable(
  rows: readonly Row[],
  columns: readonly string[],
  endpoint: Endpoint,
  text: (column: string, row: Row) => string,
  io: Pick<Io, 'color' | 'columns'>,
  part = false,
): string {
  const colors = createColors(io.color);
  const total = part ? null : totals(rows, columns, endpoint);
  const body = [...rows.map((row) => columns.map((column) => text(column, row))), ...(total ? [total] : [])];
  const { rest, headline } = endpoint;
  const wanted = columns.map((name, i) => ({
    name,
    cells: body.map((cells) => cells[i] ?? ''),
    lines: name === rest?.column ? rest.lines : undefined,
  }));
  const { shown, dropped, bar: width } = layOut(wanted, io.columns, headline === undefined ? 0 : barWidth(io.columns));
  const isNumber = (value: unknown): boolean => value === undefined || value === null || typeof value === 'number';
  const places = shown.map((one) => ({
    ...one,
    index: columns.indexOf(one.name),
    // The service's times are numbers; a reader wants dates.
    numeric: !one.name.endsWith('At') && rows.every((row) => isNumber(at(row, one.name))),
  }));
  /** One row of the table, which may take several lines. */
  const line = (cells: readonly (readonly string[])[], beside: string): string[] => {
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, i) => {
      const padded = places.map((place, j) => pad(cells[j]?.[i] ?? '', place.width, place.numeric));
      if (width > 0) padded.splice(1, 0, pad(i === 0 ? beside : '', width, false));
      return padded.join(' '.repeat(GAP)).trimEnd();
    });
  };
  const most = rows.reduce((max, row) => Math.max(max, Number(at(row, headline ?? '') ?? 0)), 0);
  const names = places.map((place) => headerLines(place.name, place.width));
  const high = Math.max(...names.map((lines) => lines.length));
  const header = line(
    names.map((lines) => [...Array<string>(high - lines.length).fill(''), ...lines]),
    '',
  );
  return [
    ...header.map((words) => colors.bold(words)),
    ...body.flatMap((cells, i) => {
      const row = rows[i];
      const beside = row && width > 0 ? bar(Number(at(row, headline ?? '') ?? 0), most, width) : '';
      const made = line(
        places.map((place) => wrap(cells[place.index] ?? '', place.width, place.lines)),
        beside,
      );
      return made.map((words) => (row ? paint(words, row, colors) : colors.dim(words)));
    }),
    ...(dropped.length > 0 ? [colors.dim(notShown(dropped, io.columns))] : []),
  ].join('\n');
}

const barWidth = (columns: number): number => (columns >= 120 ? 20 : columns >= 80 ? 12 : 8);

function notShown(names: readonly string[], columns: number): string {
  return wrap(`No room for ${names.join(', ')}: widen the terminal, or use --csv or --json.`, columns, 3).join('\n');
}

function pad(words: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - columnsOf(words)));
  return right ? space + words : words + space;
}

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

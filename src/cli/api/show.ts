// Shows an answer: whole as JSON, rows as CSV, a table on a terminal, tab-separated lines for other programs.
import type { Endpoint } from '../../api/endpoint.ts';
import type { Io } from '../io.ts';
import { cell, type Words } from './cell.ts';
import { toCsv } from './csv.ts';
import { drawTable } from './draw.ts';
import { mergeCase } from './merge.ts';
import { at } from './path.ts';

type Row = Readonly<Record<string, unknown>>;

/** Prints an endpoint's answer. */
export function show(io: Io, endpoint: Endpoint, answer: Row, how: { csv: boolean; raw: boolean }): void {
  if (io.json) io.data(answer);
  else if (!endpoint.rows) showOne(io, endpoint, answer);
  else {
    const list = answer[endpoint.rows];
    const given = Array.isArray(list) ? (list as Row[]) : [];
    const rows = how.raw || !endpoint.merge ? given : mergeCase(given, endpoint.merge);
    if (how.csv) io.line(toCsv(rows, endpoint.columns));
    else showRows(io, endpoint, rows);
  }
}

function showRows(io: Io, endpoint: Endpoint, rows: readonly Row[]): void {
  // A grouped answer lacks the columns of a whole one, and the other way round.
  const columns = endpoint.columns.filter((column) => rows.some((row) => at(row, column) !== undefined));
  const words = (mode: Words) => (column: string, row: Row) => text(endpoint, column, row, mode);
  if (io.tty) io.line(rows.length === 0 ? 'nothing there' : drawTable(rows, columns, endpoint, words('grouped'), io));
  else if (rows.length > 0) {
    const plain = (row: Row): string => columns.map((column) => words('plain')(column, row)).join('\t');
    io.line([columns.join('\t'), ...rows.map(plain)].join('\n'));
  }
}

/** One thing: a field a line. */
function showOne(io: Io, endpoint: Endpoint, answer: Row): void {
  const names = [...new Set([...endpoint.columns, ...Object.keys(answer)])].filter(
    (name) => at(answer, name) !== undefined,
  );
  const width = io.tty ? Math.max(...names.map((name) => name.length)) : 0;
  for (const name of names)
    io.line(
      `${name.padEnd(width)}${io.tty ? '  ' : '\t'}${text(endpoint, name, answer, io.tty ? 'grouped' : 'plain')}`,
    );
}

function text(endpoint: Endpoint, column: string, row: Row, words: Words): string {
  const value = at(row, column);
  const own = endpoint.show?.[column];
  return own && value !== undefined && value !== null ? own(value) : cell(column, value, words);
}

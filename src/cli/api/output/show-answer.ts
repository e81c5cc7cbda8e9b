// Shows an answer: whole as JSON, rows as CSV, a table and charts on a terminal, tab-separated lines for other programs.
import type { Endpoint } from '../../../api/contract/endpoint.ts';
import { exactDigits, stringifyExact } from '../../../api/client/exact-json.ts';
import { oneLine, plainText } from '../../../lib/text/text.ts';
import type { Io } from '../../io.ts';
import { cell, type Words } from './cell.ts';
import { drawCharts } from './charts.ts';
import { flatten, toCsv } from './csv.ts';
import { drawRows } from './draw-rows.ts';
import { mergeSpellings } from './merge-spellings.ts';
import { at, parentOf } from './value-at-path.ts';

type Row = Readonly<Record<string, unknown>>;

/** How to show it. */
export interface How {
  readonly csv: boolean;
  readonly raw: boolean;
  /** More rows follow elsewhere, so nothing is added up. */
  readonly part?: boolean;
}

/** Prints an endpoint's answer. */
export function show(io: Io, endpoint: Endpoint, answer: Row, how: How): void {
  if (io.json) io.line(stringifyExact(answer, io.tty ? 2 : 0));
  else if (!endpoint.rows) showOne(io, endpoint, answer);
  else {
    const list = answer[endpoint.rows];
    const given = Array.isArray(list) ? (list as Row[]) : [];
    const rows = how.raw || !endpoint.merge ? given : mergeSpellings(given, endpoint.merge);
    if (how.csv) io.line(toCsv(rows, endpoint.columns));
    else showRows(io, endpoint, endpoint.compare?.(rows, how.part !== true) ?? rows, how.part === true);
  }
}

function showRows(io: Io, endpoint: Endpoint, rows: readonly Row[], part: boolean): void {
  // A grouped answer lacks the columns of a whole one, and the other way round.
  const columns = endpoint.columns.filter((column) => rows.some((row) => at(row, column) !== undefined));
  if (!io.tty) {
    const plain = (row: Row): string => columns.map((column) => text(endpoint, column, row, 'plain')).join('\t');
    if (rows.length > 0) io.line([columns.join('\t'), ...rows.map(plain)].join('\n'));
  } else if (rows.length === 0) io.line(`No ${endpoint.rows === 'data' ? 'data for these days' : endpoint.rows}.`);
  else {
    const people = (column: string, row: Row): string => text(endpoint, column, row, 'grouped');
    io.line(drawRows(rows, columns, endpoint, people, io, part));
    const charts = part || endpoint.rows !== 'data' ? [] : drawCharts(rows, endpoint, io);
    if (charts.length > 0) io.line(charts.join('\n'));
  }
}

/** One thing: a field a line, those of nested objects with dotted names. */
function showOne(io: Io, endpoint: Endpoint, answer: Row): void {
  const words = io.tty ? 'grouped' : 'plain';
  const own = endpoint.show ?? {};
  const flat = flatten(answer, (path) => path in own);
  const names = [...new Set([...endpoint.columns, ...flat.keys()])].filter((name) => flat.has(name));
  const width = io.tty ? Math.max(...names.map((name) => name.length)) : 0;
  for (const name of names) {
    const value = flat.get(name);
    const said = own[name];
    // A text of several lines stays one for people.
    const whole = io.tty && (said || typeof value === 'string') && value !== null && value !== undefined;
    const shown = whole
      ? plainText(said ? said(value) : cell(name, value, words)).replaceAll('\n', `\n${' '.repeat(width + 2)}`)
      : text(endpoint, name, answer, words);
    io.line(`${name.padEnd(width)}${io.tty ? '  ' : '\t'}${shown}`);
  }
}

function text(endpoint: Endpoint, column: string, row: Row, words: Words): string {
  const value = at(row, column);
  const own = endpoint.show?.[column];
  if (own && value !== undefined && value !== null) return oneLine(own(value));
  const [parent, key] = parentOf(row, column);
  return (parent && exactDigits(parent, key)) ?? cell(column, value, words);
}

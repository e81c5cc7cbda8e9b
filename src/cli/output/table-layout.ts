// Which columns a terminal has room for, and how wide each is: whole columns go before any text is cut.
import { fitting } from '../../lib/text/text.ts';
import { columnsOf } from './text-width.ts';

/** A column before it is laid out. `cells`: all of its texts, each on one line. */
export interface Wanted {
  readonly name: string;
  readonly cells: readonly string[];
  /** Gets the rest of the width, over this many lines; it goes where its rank says so, and stays unless one above 0 is set. */
  readonly lines?: number | undefined;
  /** Where room is short, the column with the highest rank goes first; its position unless set. */
  readonly rank?: number | undefined;
}

/** What fits. */
export interface Layout {
  readonly shown: readonly { readonly name: string; readonly width: number; readonly lines: number }[];
  /** Names of columns that did not fit. */
  readonly dropped: readonly string[];
  /** Columns of the bar; 0: none. */
  readonly bar: number;
}

export const GAP = 2;
/** Narrowest column for sentences; a wide terminal gives them a third. */
const LEAST_REST = 20;
const WIDE = 100;

/** Lays out columns in `room` columns of a terminal; those of the highest rank are dropped first, the first column never. */
export function layOut(wanted: readonly Wanted[], room: number, bar: number): Layout {
  const needs = wanted.map(({ name, cells, lines, rank }, position) => {
    const data = cells.reduce((most, words) => Math.max(most, columnsOf(words)), 1);
    const least = Math.max(data, ...headerParts(name).map((part) => part.length));
    const sizes = { least, natural: Math.max(data, name.length) };
    const rest = lines !== undefined;
    const goes = position > 0 && (rest ? (rank ?? 0) > 0 : true);
    return { name, lines: lines ?? 1, rest, goes, rank: rank ?? position, position, ...sizes };
  });
  const leastRest = room < WIDE ? LEAST_REST : Math.floor(room / 3);
  const kept = [...needs];
  const dropped: (typeof needs)[number][] = [];
  for (;;) {
    const gaps = GAP * (kept.length - 1) + (bar > 0 ? bar + GAP : 0);
    for (const size of ['natural', 'least'] as const) {
      const fixed = kept.reduce((sum, one) => sum + (one.rest ? 0 : one[size]), gaps);
      const rest = kept.find((one) => one.rest);
      const left = room - fixed;
      if (left < (rest ? Math.min(rest.natural, leastRest) : 0)) continue;
      const shown = kept.map((one) => ({
        name: one.name,
        lines: one.lines,
        width: one.rest ? Math.min(one.natural, left) : one[size],
      }));
      return { shown, dropped: inOrder(dropped), bar };
    }
    const rank = Math.max(...kept.map((one) => (one.goes ? one.rank : -1)));
    const next = kept.findLastIndex((one) => one.goes && one.rank === rank);
    if (next > 0) dropped.push(...kept.splice(next, 1));
    else return narrowest(kept, room, dropped);
  }
}

/** The columns, each short form only where the column that it shortens has no room, and then in its place. */
export function withShortForms<Column extends Wanted & { readonly insteadOf?: string }>(
  columns: readonly Column[],
  room: number,
): readonly Column[] {
  const { dropped } = layOut(
    columns.filter(({ insteadOf }) => insteadOf === undefined),
    room,
    0,
  );
  const replaced = columns.flatMap(({ insteadOf }) =>
    insteadOf !== undefined && dropped.includes(insteadOf) ? [insteadOf] : [],
  );
  return columns.filter(({ name, insteadOf }) =>
    insteadOf === undefined ? !replaced.includes(name) : replaced.includes(insteadOf),
  );
}

/** Their names, from left to right. */
function inOrder(columns: readonly { readonly name: string; readonly position: number }[]): string[] {
  return [...columns].sort((a, b) => a.position - b.position).map(({ name }) => name);
}

/** A terminal so narrow that even the first column and the sentences do not fit side by side. */
function narrowest(
  kept: readonly { name: string; lines: number; least: number; position: number }[],
  room: number,
  dropped: readonly { readonly name: string; readonly position: number }[],
): Layout {
  const [first, ...others] = kept;
  const width = Math.min(first?.least ?? room, room);
  return {
    shown: first ? [{ name: first.name, lines: first.lines, width }] : [],
    dropped: inOrder([...others, ...dropped]),
    bar: 0,
  };
}

/** Where a long name may be broken: after `_` and `.`, and before a capital letter. */
const headerParts = (name: string): string[] => name.split(/(?<=[_.])|(?<=[a-z])(?=[A-Z])/);

/** A name on as many lines as the width asks for. */
export function headerLines(name: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of headerParts(name)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= width) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines;
}

/** Words on at most so many lines of that width; what does not fit ends in an ellipsis. */
export function wrap(words: string, width: number, lines: number): string[] {
  const made: string[] = [];
  let left = words;
  while (left !== '' && made.length < lines) {
    const end = unitsWithin(left, width);
    if (end >= left.length) {
      made.push(left);
      return made;
    }
    if (made.length === lines - 1) {
      const room = unitsWithin(left, width - 1);
      const space = left.lastIndexOf(' ', room);
      // Half a word says less than none, but a long one more than nothing.
      made.push(`${left.slice(0, space > room / 2 ? space : room).trimEnd()}…`);
      return made;
    }
    const space = left.lastIndexOf(' ', end);
    const cut = space > 0 ? space : Math.max(1, end);
    made.push(left.slice(0, cut));
    left = left.slice(cut).trimStart();
  }
  return made;
}

/** How many UTF-16 units of a text fit in so many columns. */
const unitsWithin = (text: string, width: number): number => fitting([...text], width, columnsOf);

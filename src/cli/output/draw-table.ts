// Draws a table for a terminal: every command's lists and the service's answers. Nothing but layout: colours come from the caller.
import { GAP, headerLines, layOut, wrap } from './table-layout.ts';
import { columnsOf } from './text-width.ts';

/** A column: its name and the text of each row, on one line each. */
export interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  /** Takes the room that is left, over so many lines. */
  readonly lines?: number | undefined;
  /** Where room is short, the column with the highest rank goes first; its position unless set. */
  readonly rank?: number | undefined;
  /** Aligned to the right. */
  readonly numeric?: boolean;
}

/** How the parts look, and what is said of columns that were dropped. */
export interface TableStyle {
  readonly head: (text: string) => string;
  readonly note: (text: string) => string;
  /** A padded cell; the index of its column and row. */
  readonly cell?: (text: string, column: number, row: number) => string;
  /** A whole line of a row. */
  readonly row?: (text: string, row: number) => string;
  /** A bar beside the first column of each row. */
  readonly bar?: { readonly width: number; readonly of: (row: number, width: number) => string };
  /** "widen the terminal, or use --json". */
  readonly otherwise: string;
}

/** The lines of a table that fits `room` columns: whole columns go before any text is cut, and the last line names them. */
export function drawTable(columns: readonly Column[], room: number, style: TableStyle): string[] {
  const { shown, dropped, bar } = layOut(columns, room, style.bar?.width ?? 0);
  const places = shown.map((one) => {
    const index = columns.findIndex((column) => column.name === one.name);
    return { ...one, index, numeric: columns[index]?.numeric === true };
  });
  const names = places.map((place) => headerLines(place.name, place.width));
  const high = Math.max(...names.map((lines) => lines.length));
  const head = names.map((lines) => [...Array<string>(high - lines.length).fill(''), ...lines]);

  const draw = (cells: readonly (readonly string[])[], beside: string, row: number | null): string[] =>
    Array.from({ length: Math.max(1, ...cells.map((lines) => lines.length)) }, (_, i) => {
      const parts = places.map((place, j) => {
        const last = bar === 0 && j === places.length - 1 && !place.numeric;
        const text = last ? (cells[j]?.[i] ?? '') : pad(cells[j]?.[i] ?? '', place.width, place.numeric);
        return row === null ? text : (style.cell?.(text, place.index, row) ?? text);
      });
      if (bar > 0) parts.splice(1, 0, pad(i === 0 ? beside : '', bar, false));
      const line = parts.join(' '.repeat(GAP)).trimEnd();
      return row === null ? style.head(line) : (style.row?.(line, row) ?? line);
    });

  const rows = columns[0]?.cells.length ?? 0;
  return [
    ...draw(head, '', null),
    ...Array.from({ length: rows }, (_, row) => {
      const cells = places.map((place) => wrap(columns[place.index]?.cells[row] ?? '', place.width, place.lines));
      return draw(cells, bar > 0 ? (style.bar?.of(row, bar) ?? '') : '', row);
    }).flat(),
    ...(dropped.length > 0 ? notShown(dropped, room, style) : []),
  ];
}

function notShown(names: readonly string[], room: number, style: TableStyle): string[] {
  return wrap(`No room for ${names.join(', ')}: ${style.otherwise}.`, room, 3).map((line) => style.note(line));
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return right ? space + text : text + space;
}

// Lists for people: a table on a terminal, tab-separated lines elsewhere. Every cell is one line of plain text.
import { oneLine } from '../../lib/text/text.ts';
import type { Io } from '../io.ts';

/** How a cell is highlighted. */
export type Tone = 'plain' | 'dim' | 'good' | 'bad' | 'notice';

/** A cell: text, and its highlight on a terminal. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** A column of a list. */
export interface ListColumn {
  readonly name: string;
  /** Takes the room that is left, over so many lines. */
  readonly lines?: number;
  /** Where room is short, the column with the highest rank goes first; the first column stays. */
  readonly rank: number;
  /** A short word in the place of the column of this name, where that has no room; on a terminal only. */
  readonly insteadOf?: string;
}

/** Prints rows; `empty` is the note when there are none. */
export async function printRows(
  io: Io,
  columns: readonly ListColumn[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): Promise<void> {
  if (rows.length === 0) return io.note(empty);
  const texts = rows.map((row) => row.map((cell) => oneLine(typeof cell === 'string' ? cell : cell.text)));
  if (!io.tty) {
    for (const row of texts) io.line(row.filter((_, i) => columns[i]?.insteadOf === undefined).join('\t'));
    return;
  }
  const [paint, { drawTable }, { withShortForms }] = await Promise.all([
    painter(io),
    import('./draw-table.ts'),
    import('./table-layout.ts'),
  ]);
  // A column with nothing in it would take room from the others.
  const filled = columns
    .map((column, index) => ({ ...column, index, cells: texts.map((row) => row[index] ?? '') }))
    .filter(({ cells }) => cells.some((text) => text !== ''));
  const shown = withShortForms(filled, io.columns);
  const tone = (column: number, row: number): Tone => {
    const cell = rows[row]?.[shown[column]?.index ?? 0];
    return typeof cell === 'object' ? cell.tone : 'plain';
  };
  const lines = drawTable(shown, io.columns, {
    head: (text) => paint('dim', text),
    note: (text) => paint('dim', text),
    cell: (text, column, row) => paint(tone(column, row), text),
    otherwise: 'widen the terminal, or use --json',
  });
  for (const line of lines) io.line(line);
}

/** Colours text when the terminal wants colour. */
export async function painter(io: Io): Promise<(tone: Tone, text: string) => string> {
  if (!io.color) return (_tone, text) => text;
  const { default: colors } = await import('picocolors');
  const { dim, green, red, yellow } = colors.createColors(true);
  const tones = { plain: (text: string) => text, dim, good: green, bad: red, notice: yellow };
  return (tone, text) => tones[tone](text);
}

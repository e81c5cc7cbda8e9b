// Lists for people: a table on a terminal, tab-separated lines elsewhere. Every cell is one line of plain text.
import { cutGraphemes, oneLine } from '../lib/text.ts';
import type { Io } from './io.ts';

/** How a cell is highlighted. */
export type Tone = 'plain' | 'dim' | 'good' | 'bad' | 'notice';

/** A cell: text, and its highlight on a terminal. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** Prints rows; `empty` is the note when there are none. */
export async function printRows(io: Io, head: readonly string[], rows: readonly (readonly Cell[])[], empty: string) {
  if (rows.length === 0) return io.note(empty);
  const texts = rows.map((row) => row.map((cell) => oneLine(typeof cell === 'string' ? cell : cell.text)));
  if (!io.tty) {
    for (const row of texts) io.line(row.join('\t'));
    return;
  }
  const paint = await painter(io);
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: head.map((text) => paint('dim', text)),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(BORDERS.map((name) => [name, ''])),
  });
  const widths = columnWidths(head, texts, io.columns);
  texts.forEach((row, i) => {
    const cells = row.map((text, j) => {
      const cell = rows[i]?.[j];
      return paint(typeof cell === 'object' ? cell.tone : 'plain', cutGraphemes(text, widths[j] ?? text.length));
    });
    table.push(cells);
  });
  for (const line of table.toString().split('\n')) io.line(line.trimEnd());
}

/** Colours text when the terminal wants colour. */
export async function painter(io: Io): Promise<(tone: Tone, text: string) => string> {
  if (!io.color) return (_tone, text) => text;
  const { default: colors } = await import('picocolors');
  const { dim, green, red, yellow } = colors.createColors(true);
  const tones = { plain: (text: string) => text, dim, good: green, bad: red, notice: yellow };
  return (tone, text) => tones[tone](text);
}

/** Narrows the widest column until a row fits. */
function columnWidths(head: readonly string[], rows: readonly (readonly string[])[], columns: number): number[] {
  const widths = head.map((title, j) => Math.max(title.length, ...rows.map((row) => row[j]?.length ?? 0)));
  const total = (): number => widths.reduce((sum, width) => sum + width + 2, 0);
  while (total() > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 12) break;
    widths[widest] = Math.max(12, (widths[widest] ?? 0) - Math.max(1, total() - columns));
  }
  return widths;
}

const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
];

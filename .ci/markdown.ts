// Markdown of the pages that are made from the program: tables, text in lines of one width, and the part between two markers.

/** Most characters of a line of text; rows of tables and lines of code may be longer. */
export const WIDTH = 120;

/** One row of a table. */
export const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A table with its header. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** What is not broken over two lines: code, links, words. */
const PIECE = /(?:`[^`]+`|\[[^\]]*\]\([^)]*\)|\S)+/g;

/** Text in lines of at most {@link WIDTH} characters; `first` begins it, such as `- `. */
export function wrap(text: string, first = ''): string {
  const lines: string[] = [];
  const indent = ' '.repeat(first.length);
  let line = first;
  for (const [piece] of text.matchAll(PIECE)) {
    const isFull = line.trim() !== '' && line !== first && line.length + 1 + piece.length > WIDTH;
    if (isFull) lines.push(line);
    if (isFull) line = `${indent}${piece}`;
    else line = line === first ? `${first}${piece}` : `${line} ${piece}`;
  }
  return [...lines, line].join('\n');
}

/** The page with what is between its two markers replaced; what is around them is kept. */
export function between(page: string, [begin, end]: readonly [string, string], made: string): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`a page has lost its markers: ${begin}`);
  return `${page.slice(0, start)}${begin}\n\n${made}\n\n${page.slice(stop)}`;
}

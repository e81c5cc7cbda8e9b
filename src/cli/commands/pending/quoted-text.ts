// An agent's text on a terminal: whole, each of its lines behind a bar, so that none of them can be taken for one of Belfry's.
import { plainText } from '../../../lib/text/text.ts';
import { columnsOf } from '../../output/text-width.ts';

const BAR = '│ ';
/** Before what is left of a line that is longer than the terminal is wide. */
const REST = '│   ';
const TAB = '    ';

/** Lines of at most `width` columns; nothing of the text is left out, and a text without anything has none. */
export function quoted(text: string, width: number): string[] {
  const lines = plainText(text).replaceAll('\t', TAB).split('\n');
  while (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line) =>
    folded(line, width - BAR.length, width - REST.length).map((part, at) =>
      `${at === 0 ? BAR : REST}${part}`.trimEnd(),
    ),
  );
}

/** One line in parts, the first of `width` columns and the others of `rest`, after a space where there is one; every character is in one of them. */
function folded(line: string, width: number, rest: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  let room = width;
  for (const point of line) {
    const columns = columnsOf(point);
    if (used + columns > room && part !== '') {
      const space = part.lastIndexOf(' ') + 1;
      const end = space > part.length / 2 ? space : part.length;
      parts.push(part.slice(0, end));
      part = part.slice(end);
      used = columnsOf(part);
      room = rest;
    }
    part += point;
    used += columns;
  }
  return [...parts, part];
}

// Edits that remove one property or element from a JSON text, with its comma and its line, and leave everything else as it is.
import type { Edit, Node } from 'jsonc-parser';
import { commaAfter } from './trivia.ts';

/** Removes `child` (a property node or an element) from its container. */
export function removeChild(text: string, container: Node, child: Node): Edit[] {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const end = child.offset + child.length;
  const close = container.offset + container.length - 1;
  const comma = commaAfter(text, end, close);
  const previous = children[index - 1];
  const edits: Edit[] = [];
  if (index === children.length - 1 && previous && comma === null) {
    const before = commaAfter(text, previous.offset + previous.length, child.offset);
    if (before !== null) edits.push({ offset: before, length: 1, content: '' });
  }
  edits.push(...cut(text, child, comma, index === children.length - 1));
  return edits;
}

function cut(text: string, child: Node, comma: number | null, isLast: boolean): Edit[] {
  const end = child.offset + child.length;
  const far = comma !== null && text.slice(end, comma).trim() !== ''; // a comment is between value and comma
  const stop = comma !== null && !far ? comma + 1 : end;
  const edits: Edit[] = far ? [{ offset: comma, length: 1, content: '' }] : [];
  const lineStart = text.lastIndexOf('\n', child.offset - 1) + 1;
  const startsLine = text.slice(lineStart, child.offset).trim() === '' && lineStart > 0;
  const tail = /^[ \t]*(\r\n|\n)/.exec(text.slice(stop, stop + 4096));
  if (startsLine && tail)
    return [{ offset: lineStart, length: stop + tail[0].length - lineStart, content: '' }, ...edits];
  const spacesBefore = isLast ? (/[ \t]*$/.exec(text.slice(lineStart, child.offset))?.[0].length ?? 0) : 0;
  const spacesAfter = isLast ? 0 : (/^[ \t]*/.exec(text.slice(stop, stop + 4096))?.[0].length ?? 0);
  const from = child.offset - (startsLine ? 0 : spacesBefore);
  return [{ offset: from, length: stop + spacesAfter - from, content: '' }, ...edits];
}

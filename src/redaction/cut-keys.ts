// Private keys whose first lines were cut off: lines of base64 before an end line.
import { matchesOf, type Span } from './spans.ts';

const END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY/g;
/** A line of a key, with the line break as it is or as JSON writes it. */
const LINE = /(?:^|[^A-Za-z0-9+/=])([A-Za-z0-9+/=]{16,200})(?:\s|\\{1,7}[rn]){0,8}$/;
/** Lines of the longest key. */
const MAX_LINES = 300;

/** What is left of keys whose beginning is missing. */
export function cutKeys(text: string): Span[] {
  return matchesOf(text, END).flatMap(({ index }) => {
    let start = index;
    for (let lines = 0; lines < MAX_LINES; lines++) {
      const m = LINE.exec(text.slice(Math.max(0, start - 240), start));
      if (!m?.[1]) break;
      start -= m[0].length - m[0].indexOf(m[1]);
    }
    return start < index ? [{ start, end: index, kind: 'private-key' }] : [];
  });
}

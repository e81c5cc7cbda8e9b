// Text for other programs to show: without controls, cut by what a reader sees as one character.

/** ANSI escape sequences: CSI, OSC and other strings up to their end, and two-character ones. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;
/** Controls but tab and line feed, characters that turn the reading order of what follows, the byte order mark, and code points that never are characters: programs drop messages with them. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff\p{Noncharacter_Code_Point}]/gu;

/** Made when first needed: its data takes megabytes. */
let segmenter: Intl.Segmenter | undefined;
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

/** Well-formed text with line feeds and tabs as its only controls; terminal sequences are removed whole. */
export function plainText(text: string): string {
  return Buffer.from(
    text
      .replace(/\r\n?|\u2028|\u2029/g, '\n')
      .replace(ESCAPES, '')
      .replace(CONTROLS, ''),
    'utf8',
  ).toString('utf8');
}

/** {@link plainText} on one line. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** The longest beginning whose cost is at most `limit`, ending in an ellipsis when something was left out. `cost` is what one grapheme takes, UTF-16 units by default. */
export function cutGraphemes(
  text: string,
  limit: number,
  cost: (part: string) => number = (part) => part.length,
): string {
  if (text.length <= limit && cost(text) <= limit) return text;
  const room = limit - cost('…');
  if (room < 0) return '';
  // No part costs less than its length, so what lies beyond the limit never fits.
  const near = text.slice(0, limit + 1);
  const parts = Array.from(graphemes().segment(near), ({ segment }) => segment);
  // One grapheme can be longer than any limit: a letter under a thousand accents. Then code points have to do.
  const end = fitting(parts, room, cost) || fitting(Array.from(near), room, cost);
  return `${text.slice(0, end).trimEnd()}…`;
}

function fitting(parts: readonly string[], room: number, cost: (part: string) => number): number {
  let used = 0;
  let end = 0;
  for (const part of parts) {
    used += cost(part);
    if (used > room) break;
    end += part.length;
  }
  return end;
}

/** At most `limit` units, ended before a word that would be cut: no rule would recognize half a secret. */
export function cutAtSpace(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit).replace(/(?<!\S)\S{1,2000}$/, '') : text;
}

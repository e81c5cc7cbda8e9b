// Text from agents is data: without terminal controls and reading-order tricks, truncated by graphemes.

/** ANSI escape sequences: CSI, OSC and other strings up to their end, and two-character ones. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;
/** Controls but tab and line feed, characters that turn the reading order of what follows, the byte order mark, and code points that never are characters: programs drop messages with them. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff\p{Noncharacter_Code_Point}]/gu;

/** Made when first needed: its data takes megabytes. */
let segmenter: Intl.Segmenter | undefined;
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
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

/** How many UTF-16 units the longest beginning has whose parts cost no more than `room`. */
export function fitting(parts: readonly string[], room: number, cost: (part: string) => number): number {
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

/** A grapheme may be long; more code units than this each are not read. */
const UNITS_PER_GRAPHEME = 32;
/** ASCII without the carriage return, which joins a line feed. */
const ASCII = /^[\t\n -~]*$/;

/** Truncates to `limit` graphemes, the last one an ellipsis when something was left out. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Each of these characters is a grapheme, so nothing has to be segmented.
  if (ASCII.test(text.slice(0, limit + 1))) return `${text.slice(0, limit - 1).trimEnd()}…`;
  const start = text.slice(0, limit * UNITS_PER_GRAPHEME);
  let count = 0;
  let end = 0;
  let last = 0;
  for (const { index, segment } of graphemes().segment(start)) {
    count += 1;
    if (count === limit) last = index;
    if (count > limit) return `${start.slice(0, last).trimEnd()}…`;
    end = index + segment.length;
  }
  return end < text.length ? `${start.slice(0, last > 0 ? last : end).trimEnd()}…` : text;
}

/** Several lines, cleaned, trimmed and bounded. */
export function sanitize(text: string, limit: number): string {
  return truncate(plainText(text.slice(0, limit * UNITS_PER_GRAPHEME)).trim(), limit);
}

/** The same on one line. */
export function sanitizeLine(text: string, limit: number): string {
  return truncate(
    plainText(text.slice(0, limit * UNITS_PER_GRAPHEME))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    limit,
  );
}

/** "a", "a and b", "a, b and c". */
export function joinAnd(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** `&`, `<` and `>` escaped, for XML, HTML and Slack. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

// What is between the values of a JSON text: spaces, line ends, comments, commas.

/** Where the comma after `from` is, past spaces and comments; null when the container ends first. */
export function commaAfter(text: string, from: number, end: number): number | null {
  let at = from;
  while (at < end) {
    const next = pastTrivia(text, at, end);
    if (next === at) return text[at] === ',' ? at : null;
    at = next;
  }
  return null;
}

/** Past the spaces and comments on the same line after `from`; `line`: the last one runs to the line's end. */
export function pastSameLine(text: string, from: number, end: number): { at: number; line: boolean } {
  let kept = from;
  let at = from;
  while (at < end) {
    const c = text[at];
    if (c === ' ' || c === '\t') at++;
    else if (text.startsWith('//', at)) return { at: lineEnd(text, at, end), line: true };
    else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      const after = close < 0 ? end : close + 2;
      if (text.slice(at, after).includes('\n')) break;
      at = after;
      kept = after;
    } else break;
  }
  return { at: kept, line: false };
}

function pastTrivia(text: string, at: number, end: number): number {
  if (/\s/.test(text[at] ?? '')) return at + 1;
  if (text.startsWith('//', at)) return lineEnd(text, at, end);
  if (text.startsWith('/*', at)) {
    const close = text.indexOf('*/', at + 2);
    return close < 0 ? end : close + 2;
  }
  return at;
}

/** Before the line's end characters. */
function lineEnd(text: string, from: number, end: number): number {
  const feed = text.indexOf('\n', from);
  if (feed < 0 || feed > end) return end;
  return text[feed - 1] === '\r' ? feed - 1 : feed;
}

// Parts of a text to be replaced.

/** From `start` up to and without `end`, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** The mark left in place of a secret; a text is split at these before it is searched again. */
export const PLACEHOLDER = /\[redacted(?:: [a-z0-9 -]{1,40})?\]/g;

/** Replaces the spans; where they overlap, by one mark with the kind of the first. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = '';
  let at = 0;
  for (const span of merged(spans)) {
    out += `${text.slice(at, span.start)}[redacted${span.kind === '' ? '' : `: ${span.kind}`}]`;
    at = span.end;
  }
  return out + text.slice(at);
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  const real = spans.filter(({ start, end }) => end > start);
  for (const span of real.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end) result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}

/** Every match of a global expression that matches no empty text. An own loop, since matchAll copies the expression each time, which costs more than the search. */
export function matchesOf(text: string, find: RegExp): readonly RegExpExecArray[] {
  find.lastIndex = 0;
  let m = find.exec(text);
  if (m === null) return NONE;
  const found: RegExpExecArray[] = [];
  for (; m !== null; m = find.exec(text)) found.push(m);
  return found;
}

const NONE: readonly RegExpExecArray[] = [];

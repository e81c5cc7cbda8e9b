// Texts made from a regular expression to make it slow: what it takes, over and over, and what it takes nearly.

/** One piece of an expression: what it matches once, and whether it repeats. */
interface Piece {
  readonly text: string;
  readonly repeats: boolean;
}

/** Length of a hostile text. */
export const LENGTH = 65_536;

/** The pieces of an expression, alternatives flattened to each of their first ones. */
function piecesOf(source: string, pick: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const push = (text: string): void => {
    const m = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(source.slice(at));
    at += m?.[0].length ?? 0;
    const least = m?.[1] === undefined ? 1 : Math.max(1, Number(m[1]));
    const repeats = m !== null && /^(?:[*+]|\{\d+,)/.test(m[0]);
    if (text !== '') pieces.push({ text: text.repeat(Math.min(least, 2_000)), repeats });
  };
  while (at < source.length) {
    const sign = source[at] ?? '';
    if (sign === '(') {
      const end = closing(source, at);
      const inner = source.slice(at + 1, end).replace(/^\?(?:<[A-Za-z]\w*>|:)/, '');
      const around = /^\?<?[!=]/.test(inner);
      at = end + 1;
      if (around) push('');
      else {
        const ways = alternatives(inner);
        push(
          piecesOf(ways[pick % ways.length] ?? '', pick)
            .map(({ text }) => text)
            .join(''),
        );
      }
    } else if (sign === '[') {
      const end = classEnd(source, at);
      const set = source.slice(at, end + 1);
      at = end + 1;
      push(memberOf(set, pick));
    } else if (sign === '\\') {
      const escaped =
        /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<\w+>|.)/s.exec(source.slice(at))?.[0] ?? '\\';
      at += escaped.length;
      push(/^\\[bBk1-9]/.test(escaped) ? '' : memberOf(escaped, pick));
    } else if (sign === '^' || sign === '$') at++;
    else if (sign === '.') {
      at++;
      push('a');
    } else {
      at++;
      push(sign);
    }
  }
  return pieces;
}

/** A sign of a class: the n-th of some that it takes. */
function memberOf(set: string, pick: number): string {
  const one = new RegExp(`^${set}$`, /\\[pPu]/.test(set) ? 'u' : '');
  const taken = ['a', '0', ' ', '/', '-', '\n', '=', 'Z', '.', '\\', '"', 'é', '\u0001', '\ufeff', '\u202e'].filter(
    (sign) => one.test(sign),
  );
  const any = Array.from({ length: 128 }, (_x, code) => String.fromCharCode(code)).filter((sign) => one.test(sign));
  return taken[pick % Math.max(1, taken.length)] ?? any[pick % Math.max(1, any.length)] ?? '';
}

function alternatives(source: string): string[] {
  const found = [''];
  for (let at = 0; at < source.length; at++) {
    const end =
      source[at] === '('
        ? closing(source, at)
        : source[at] === '['
          ? classEnd(source, at)
          : source[at] === '\\'
            ? at + 1
            : at;
    if (source[at] === '|') found.push('');
    else found[found.length - 1] += source.slice(at, end + 1);
    at = end;
  }
  return found;
}

function closing(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') at = classEnd(source, at);
    else if (source[at] === '(') depth++;
    else if (source[at] === ')' && --depth === 0) return at;
  }
  return source.length;
}

function classEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

/** Hostile texts of 64 KB for an expression, evenly drawn from all where `most` is less: every beginning of what it takes, repeated; and one beginning with a repetition that does not end. */
export function hostileTexts(source: string, most = Number.POSITIVE_INFINITY): string[] {
  const plans = new Map<string, { start: string; again: string; end: string }>();
  const plan = (start: string, again: string, end: string): void => {
    if (again !== '') plans.set(JSON.stringify([start, again, end]), { start, again, end });
  };
  const ways = alternatives(source);
  for (const [way, alternative] of ways.slice(0, 12).entries())
    for (const pick of ways.length > 1 ? [way] : [0, 1, 2, 3]) {
      const pieces = piecesOf(alternative, pick).slice(0, 40);
      for (const [i, { text, repeats }] of pieces.entries()) {
        if (!repeats && i !== pieces.length - 1) continue;
        const before = pieces.slice(0, i).map((piece) => piece.text);
        plan('', before.join('') + text, '');
        plan('', `${before.join('')}${text}\u0000`, '');
        plan('', before.join('') + text.repeat(40), '');
        plan(before.join(''), text, '\u0000');
      }
    }
  const all = [...plans.values()];
  const step = Math.max(1, all.length / most);
  const chosen = all.filter((_plan, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  return chosen.map(({ start, again, end }) =>
    (start + again.repeat(Math.ceil(LENGTH / again.length))).slice(0, LENGTH - end.length).concat(end),
  );
}

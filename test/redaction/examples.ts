// Makes examples of a form: literal text, classes, {n}, (a|b) and ?, as in a regular expression. Signs are drawn evenly, as key generators do,
// by a generator with a seed, so that a failure can be seen again.

/** Draws below `n`. */
type Draw = (n: number) => number;

/** A generator of draws (mulberry32). */
export function seeded(seed: number): Draw {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** One example of a form. */
export function exampleOf(form: string, draw: Draw): string {
  const alternatives = outside(form);
  if (alternatives.length > 1) return exampleOf(alternatives[draw(alternatives.length)] ?? '', draw);
  const m = /^(?:\[(?<set>(?:[^\]\\]|\\.)+)\]|\\(?<escaped>[\s\S])|(?<open>\()|(?<plain>[^\\([]))/.exec(form);
  if (!m) return '';
  const { set, escaped, plain } = m.groups ?? {};
  const end = m.groups?.['open'] ? closing(form) : set !== undefined ? set.length + 2 : escaped === undefined ? 1 : 2;
  const times = /^\{(\d+)\}/.exec(form.slice(end));
  const maybe = form[end] === '?';
  const count = times ? Number(times[1]) : maybe ? draw(2) : 1;
  let made = '';
  for (let i = 0; i < count; i++) {
    if (set !== undefined) made += one(set, draw);
    else made += m.groups?.['open'] ? exampleOf(form.slice(1, end - 1), draw) : (escaped ?? plain ?? '');
  }
  return made + exampleOf(form.slice(end + (times ? times[0].length : maybe ? 1 : 0)), draw);
}

/** The alternatives of a form at its top level. */
function outside(form: string): string[] {
  const found = [''];
  let depth = 0;
  for (let i = 0; i < form.length; i++) {
    const sign = form[i] ?? '';
    if (sign === '\\') found[found.length - 1] += sign + (form[++i] ?? '');
    else if (sign === '|' && depth === 0) found.push('');
    else {
      if (sign === '(' || sign === '[') depth++;
      if (sign === ')' || sign === ']') depth--;
      found[found.length - 1] += sign;
    }
  }
  return found;
}

function closing(form: string): number {
  let depth = 0;
  for (let i = 0; i < form.length; i++) {
    if (form[i] === '(') depth++;
    if (form[i] === ')' && --depth === 0) return i + 1;
  }
  return form.length;
}

function one(set: string, draw: Draw): string {
  const signs = set
    .replace(/\\(.)/g, '$1')
    .replace(/(.)-(.)/g, (_whole, from: string, to: string) =>
      Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_x, i) =>
        String.fromCharCode(from.charCodeAt(0) + i),
      ).join(''),
    );
  return signs[draw(signs.length)] ?? '';
}

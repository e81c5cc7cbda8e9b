// JSON whose numbers keep all their digits: JavaScript's own reading rounds what is beyond 2^53, ids and counts among it.
import { randomUUID } from 'node:crypto';

/** For a container read here, the digits of those of its numbers that JavaScript would round. */
const digits = new WeakMap<object, Map<string, string>>();

/** Whether a text may hold such a number at all. */
const SUSPECT = /\d[\d.]{15}|\d[eE][+-]?\d{2}/;
/** A string of JSON, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const SIGNIFICANT = 15;

/** As JSON.parse, which must be able to read the text; {@link stringifyExact} gives its numbers back as they were. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!SUSPECT.test(text)) return value;
  const mark = `${randomUUID()}:`;
  const marked = text.replace(TOKEN, (token) => (isRounded(token) ? `"${mark}${token}"` : token));
  return marked === text ? value : unmark({ '': JSON.parse(marked) as unknown }, mark)[''];
}

/** The digits of a number that JavaScript has rounded, as they were sent; undefined: it is as it was. */
export function exactDigits(container: object, key: string | number): string | undefined {
  return digits.get(container)?.get(String(key));
}

/** As JSON.stringify, with every digit of numbers that {@link parseExact} has read. */
export function stringifyExact(value: unknown, indent = 0): string {
  const mark = `${randomUUID()}:`;
  let marked = false;
  const text = JSON.stringify(
    value,
    function (this: object, key: string, part: unknown) {
      const exact = typeof part === 'number' ? exactDigits(this, key) : undefined;
      if (exact === undefined) return part;
      marked = true;
      return `${mark}${exact}`;
    },
    indent,
  );
  return marked ? text.replace(new RegExp(`"${mark}([^"]{1,1000000})"`, 'g'), '$1') : text;
}

/** More digits than a double surely keeps, or an exponent that it may not have. */
function isRounded(token: string): boolean {
  if (token.startsWith('"')) return false;
  const [mantissa = '', exponent = '0'] = token.split(/[eE]/);
  const significant = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  return significant.length > SIGNIFICANT || Math.abs(Number(exponent)) > 290;
}

/** Puts numbers where their marks are, and remembers their digits. The caller has bounded the depth. */
function unmark<T extends object>(container: T, mark: string): T {
  const parts = container as Record<string, unknown>;
  for (const [key, part] of Object.entries(parts)) {
    if (typeof part === 'object' && part !== null) unmark(part, mark);
    else if (typeof part === 'string' && part.startsWith(mark)) {
      const exact = part.slice(mark.length);
      parts[key] = Number(exact);
      const known = digits.get(container) ?? new Map<string, string>();
      digits.set(container, known.set(key, exact));
    }
  }
  return container;
}

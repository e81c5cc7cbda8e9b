// Reads the value that stands beside a name, and judges whether it is a secret.
import type { Strength } from './secret-names.ts';
import { isScrambled, looksRandom } from './entropy.ts';

/** A value in a text, without its quotes. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** Longest value that is read. */
const LONGEST = 4_096;
/** An opening quote, escaped as often as JSON within JSON does it. */
const QUOTE = /\\{0,7}["'`]|&quot;|%22|\\{1,8}u0022|[“‘«„]/y;
const CLOSING: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»', '„': '“' };
const BARE = /[^\s"'`,;(){}<>[\]|&\\]{1,4096}/y;
/** In a file of settings nothing but space ends a value. */
const LINE = /[^\s"'`]{1,4096}/y;

/** The value at a place: in quotes of any depth of escaping, or bare up to its end. `line`: only space or a quote ends a bare one. */
export function readValue(text: string, at: number, line: boolean): Value | null {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0];
  if (quote !== undefined) return readQuoted(text, at + quote.length, CLOSING[quote] ?? quote);
  const bare = line ? LINE : BARE;
  bare.lastIndex = at;
  const found = bare.exec(text)?.[0];
  if (found === undefined) return null;
  const value = line ? found.replace(/[;,)}\]]{1,9}$/, '') : found;
  return { start: at, end: at + value.length, quoted: false };
}

/** Longest text in quotes before a name that has no value, in characters. */
const LEAD = 40;

/** Whether the quote at a place ends a text that a name ends, as in `grep "password=" src/`: that name has no value. `name`: where it begins. */
export function closesQuote(text: string, at: number, name: number): boolean {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0];
  if (quote === undefined || !/^(?:[\s),;:.|+&\]}\\/]|$)/.test(text.slice(at + quote.length, at + quote.length + 1)))
    return false;
  const lead = text.slice(Math.max(0, name - LEAD - quote.length), name);
  const open = lead.lastIndexOf(quote);
  const before = open <= 0 ? (text[name - lead.length - 1] ?? ' ') : (lead[open - 1] ?? ' ');
  return open !== -1 && !/[\r\n]/.test(lead.slice(open)) && /[\s([{,=:>|F\\]/.test(before);
}

/** Up to the same quote, escaped as often; a text that ends before it was cut. */
function readQuoted(text: string, start: number, quote: string): Value | null {
  const limit = Math.min(text.length, start + LONGEST);
  const depth = quote.length - 1;
  for (let end = text.indexOf(quote, start); end !== -1 && end <= limit; end = text.indexOf(quote, end + 1)) {
    const escapes = depth === 0 || quote[0] === '\\' ? backslashes(text, end, start) : 0;
    if (depth === 0 ? escapes % 2 === 0 : escapes === 0) return until(text, start, end);
  }
  return until(text, start, limit);
}

/** Backslashes right before a place. */
function backslashes(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text[at - count - 1] === '\\' && count < 16) count++;
  return count;
}

/** A value does not go over the end of its line. */
function until(text: string, start: number, end: number): Value | null {
  const line = text.slice(start, end).search(/[\r\n]/);
  const stop = line === -1 ? end : start + line;
  return stop > start ? { start, end: stop, quoted: true } : null;
}

/** Values that name a secret instead of being one, or are plainly words of a program or its documentation. */
const NOT_A_SECRET =
  /^(?:\.[*+]|\[\^|\$(?![\w.]*[^\w.{}():/-])|\$[\w.]{0,80}$|[\\\s]*$|[%$]\{|\$\(|%[A-Za-z_]{1,60}%$|%[sdv]\b|@?\{|env:|file:|secret:|process\.env|os\.(?:environ|getenv)|import\.meta|ENV[[.]|secrets?\.|vars?\.|var\.|local\.|data\.|config\.|this\.|self\.|await\s|new\s|\*{3,}|\.{3}|…|•{3,}|[xX]{4,}$|-{3,}|<|[A-Za-z_$][A-Za-z_.$]{0,60}\(|\{\{|\[redacted|!(?:vault|secret|ref|sub|env)|op:\/\/|vault:|ref\+|arn:|projects\/|\/run\/secrets|(?:true|false|null|none|nil|undefined|string|number|boolean|object|any|unknown|never|void|bytes?|str|int|text|varchar|required|optional|missing|invalid|expired|empty|unset|redacted|hidden|changeme|change-me|example|placeholder|your[-_ ]|my[-_]|dummy|default|prompt|stdin|keyring|vault|yes|no|on|off)\b)/i;
/** A name, member, call or path as programs write them: words in camel, snake or kebab case with dots and slashes. */
const WORDS =
  /^[A-Za-z_$@][a-z]*(?:[A-Z][a-z]*)*(?:[._:/?!-]+(?:[A-Za-z][a-z]*(?:[A-Z][a-z]*)*|\d{1,3}))*[.:?!)\]*]{0,3}$/;
/** Words of a language, with what stands between them. */
const PROSE = /^[\p{L}\p{M}\s.,:;!?'’"“”()/…-]+$/u;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A date, a time, a number, an amount, a version, a percentage. */
const QUANTITY = /^[+-]?\d[\d.,:_/-]{0,30}(?:[a-zA-Z%]{0,3}|T[\d:.]{5,20}Z?)$/;

/** How a value is tied to its name: as code and settings do (=, a quoted value), or as prose and headings do. */
export type Tie = 'tight' | 'loose';

/** Whether a value beside a name of this strength is a secret. */
export function isSecret(value: string, strength: Strength, tie: Tie, quoted: boolean): boolean {
  if (value.length < 3 || NOT_A_SECRET.test(value)) return false;
  if (/^\P{ASCII}+$/u.test(value)) return false;
  if (/\s/.test(value))
    return strength === 'password' && quoted && tie === 'tight' && !PROSE.test(value) && signs(value) >= 2;
  if (strength === 'key')
    return value.length >= 16 && (looksRandom(value, 16) || isScrambled(value) || UUID.test(value) || isHex(value, 32));
  if (looksRandom(value, 8) || UUID.test(value) || isHex(value, 20) || isScrambled(value)) return true;
  if (strength === 'token')
    return tie === 'tight' && value.length >= 12 && signs(value) >= 2 && !WORDS.test(value) && !isPlace(value);
  if (tie === 'tight')
    return !QUANTITY.test(value) || value.length >= 4
      ? signs(value) >= 2 || (!WORDS.test(value) && !PROSE.test(value))
      : false;
  return signs(value) >= 2 && value.length >= 6 && !WORDS.test(value) && !QUANTITY.test(value) && !isPlace(value);
}

/** How many of letters, digits and other signs a value has. */
export function signs(value: string): number {
  return Number(/\p{L}/u.test(value)) + Number(/\d/.test(value)) + Number(/[^\p{L}\d._:/-]/u.test(value));
}

function isHex(value: string, least: number): boolean {
  return value.length >= least && /^[0-9a-f]+$/i.test(value) && /\d/.test(value) && /[a-f]/i.test(value);
}

/** A path, an address, a call or an expression. */
function isPlace(value: string): boolean {
  return /^(?:[a-z]{2,12}:)?\.{0,2}~?\/|^[a-z]{2,20}:\/\/|^[\w.$]{1,60}\(|=>|\w\.\w+\.\w/i.test(value);
}

// What the TOML parser refuses, in one sentence for someone who does not know TOML.
import type { Diagnostic } from '../diagnostic.ts';

/** Where the parser stopped and its own words for it; line and column count from 1. */
export interface ParseFailure {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The parser's message, how it begins, and ours for the line where it stopped. */
const SENTENCES: readonly (readonly [begins: string, sentence: (text: string, at: ParseFailure) => string])[] = [
  ['trying to redefine', (text, at) => redefined(text, at)],
  ['invalid non-table', (text, at) => redefined(text, at)],
  ['control characters are not allowed in strings', () => 'closing quote missing'],
  ['unfinished string', () => 'closing quote missing'],
  ['unrecognised escape', () => 'unknown escape; write \\\\ for a backslash, or use single quotes'],
  ['document contains an unsafe', () => 'this name is reserved; choose another'],
  ['each key-value declaration', () => 'unexpected text after the value; put the next setting on a line of its own'],
  ['expected comma', () => 'comma or closing bracket missing'],
  ['illegal leading zero', () => 'a number cannot begin with 0; put text in quotes'],
  ['illegal character in numeric', () => 'not a number; put text such as a duration or an address in quotes'],
  ['invalid value', (text, at) => invalidValue(text, at)],
  ['illegal character in key', (text, at) => invalidKey(text, at)],
  ['incomplete key-value', (text, at) => invalidKey(text, at)],
];

/** The diagnostic of a text that does not parse. */
export function syntaxDiagnostic(text: string, error: ParseFailure): Diagnostic {
  const [first = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
  const known = SENTENCES.find(([begins]) => first.startsWith(begins));
  const message = known ? known[1](text, error) : first;
  return { line: error.line, column: error.column, key: '', message };
}

function redefined(text: string, { line }: ParseFailure): string {
  const earlier = earlierDefinition(text.split('\n'), line);
  return earlier === null ? 'already defined earlier in this file' : `already defined on line ${earlier}`;
}

function invalidValue(text: string, { line, column }: ParseFailure): string {
  const rest = (text.split('\n')[line - 1] ?? '').slice(column - 1).trim();
  if (rest === '' || rest.startsWith('#')) return 'value missing';
  if (/^(yes|no|on|off)\b/i.test(rest)) return 'invalid value; write true or false';
  return 'invalid value; put text in quotes';
}

function invalidKey(text: string, { line, column }: ParseFailure): string {
  const whole = text.split('\n')[line - 1] ?? '';
  if (/^\s*\[/.test(whole))
    return whole.slice(column - 1).trim() === ''
      ? 'closing ] missing'
      : 'put a name that is not only letters, digits, - and _ in quotes';
  return whole.includes('=') && !/^\s*[\w.-]+\s*[^\s\w.=-]/.test(whole)
    ? 'put a name that is not only letters, digits, - and _ in quotes'
    : '= missing';
}

/** Line (from 1) of the first definition of what `line` defines again; null: not found by its spelling. */
function earlierDefinition(lines: readonly string[], line: number): number | null {
  const wanted = definitions(lines.slice(0, line)).at(-1);
  if (!wanted || wanted.line !== line) return null;
  const first = definitions(lines.slice(0, line - 1)).find(
    ({ name }) => name === wanted.name || name.startsWith(`${wanted.name}.`),
  );
  return first?.line ?? null;
}

interface Definition {
  readonly name: string;
  readonly line: number;
}

/** Tables and keys by their whole names; each `[[table]]` begins with a fresh set of keys. */
function definitions(lines: readonly string[]): Definition[] {
  const found: Definition[] = [];
  let table = '';
  lines.forEach((text, i) => {
    const header = /^\[(\[?)([^\]]{1,200})\]/.exec(text.trimStart());
    const key = /^([\w."'-]{1,200})\s{0,200}=/.exec(text.trimStart())?.[1];
    if (header) {
      const name = (header[2] ?? '').trim();
      table = header[1] === '' ? name : `${name}[${i}]`;
      found.push({ name, line: i + 1 });
    } else if (key !== undefined) found.push({ name: table === '' ? key : `${table}.${key}`, line: i + 1 });
  });
  return found;
}

// The line of the file that a diagnostic is about, with a caret under the place.
import { cutGraphemes } from '../../lib/text/text.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** Longest part of a line that is shown. */
const WIDTH = 100;
/** Keys whose values may be secrets: their letters are hidden. */
const SECRET = /(?:secret|token|key|password|url|topic|user|proxy)[\w.-]{0,40}["']?\s{0,9}[=:\s]/i;

/** Two lines, ready to print below the diagnostic; empty when there is nothing to show. */
export function excerpt(text: string, { line, column }: Pick<Diagnostic, 'line' | 'column'>): string[] {
  const whole = (text.replace(/^\uFEFF/, '').split('\n')[line - 1] ?? '').replace(/\r$/, '').replaceAll('\t', ' ');
  if (whole.trim() === '') return [];
  const shown = cutGraphemes(withoutControls(hideSecret(whole)), WIDTH);
  const label = `  ${line} | `;
  const caret = `${' '.repeat(label.length - 2)}| ${' '.repeat(Math.min(column - 1, shown.length))}^`;
  return [`${label}${shown}`, caret];
}

/** The value's letters as asterisks, so that columns stay; references to a secret stay readable. */
function hideSecret(line: string): string {
  const found = SECRET.exec(line);
  if (!found || /["'](?:env|file|secret):/.test(line)) return line;
  const from = found.index + found[0].length;
  return line.slice(0, from) + line.slice(from).replace(/[^\s"'[\]{},#=]/g, '*');
}

/** Controls as dots: what is printed stays on its line and in its column. */
function withoutControls(line: string): string {
  return line.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\u00b7');
}

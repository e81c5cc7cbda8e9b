// Reads a successful answer: JSON, not too deep, with every required field. The answer itself is returned, unknown fields and all.
import { toProblem } from '../contract/check-input.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ApiError } from './errors.ts';
import { parseExact } from './exact-json.ts';

/** Deeper nesting than any answer of the service has; beyond it programs that walk the answer would overflow. */
const DEEPEST = 200;

/** The parsed answer, checked against the endpoint's result. */
export function readAnswer(endpoint: Endpoint, text: string, status: number): Record<string, unknown> {
  const unusable = (why: string): ApiError =>
    new ApiError('unusable-answer', `the answer of ${endpoint.method} ${endpoint.path} cannot be used: ${why}`, {
      status,
    });
  if (tooDeep(text)) throw unusable(`nested deeper than ${DEEPEST}; check base_url and app_url`);
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    if (endsEarly(text, error))
      throw new ApiError('cut-short', `the answer of ${endpoint.method} ${endpoint.path} was cut short; try again`, {
        status,
      });
    throw unusable(
      text.trim() === '' ? 'it is empty; try again' : `it is not JSON${htmlHint(text)}; check base_url and app_url`,
    );
  }
  const checked = endpoint.result.safeParse(value);
  if (!checked.success) {
    const { field, message } = toProblem(checked.error.issues[0]);
    throw unusable(`${field}: ${message}; the service may have changed, update belfry`);
  }
  // The schema has just said that it is an object; its own copy would lose the order of the fields.
  return value as Record<string, unknown>;
}

/** Whether JSON is broken only because its end is missing. */
function endsEarly(text: string, error: unknown): boolean {
  const why = error instanceof Error ? error.message : '';
  if (!/^\s*[[{]/.test(text)) return false;
  return /end of JSON input|Unterminated string/.test(why) || Number(/position (\d+)/.exec(why)?.[1]) >= text.length;
}

const htmlHint = (text: string): string => (/^\s*</.test(text) ? ' but a web page' : '');

/** Counts brackets outside of strings. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      i = endOfString(text, i);
      if (i < 0) return false;
    } else if (c === 0x5b || c === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return false;
}

/** Index of the quote that closes the string opened at `start`; -1: none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

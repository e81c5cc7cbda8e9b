// `errorOccurred`: the message is free text, or JSON in a string.
import { causeOf } from '../shared/error-causes.ts';
import { object, string } from '../shared/fields.ts';
import type { Said } from '../shared/parser.ts';
import { failed } from '../shared/event-builders.ts';

/** The session failed for what the error says. */
export function failure(error: unknown): Said {
  const fields = object(error);
  const text = typeof error === 'string' ? error.slice(0, 64_000) : string(fields, 'message', 'name');
  const inner = text?.startsWith('{') ? object(jsonOf(text)) : {};
  const message = string(inner, 'message') ?? text;
  return failed(causeOf(string(inner, 'code', 'type'), message), message);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // it only looked like JSON
  }
}

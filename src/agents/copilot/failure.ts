// `errorOccurred`: the message is free text, or JSON in a string.
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';
import type { PartialHook } from '../shared/parser.ts';
import { failed } from '../shared/event-builders.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';

/** The session failed for what the error says. */
export function copilotFailure(error: unknown): PartialHook {
  const fields = asObject(error);
  const text = typeof error === 'string' ? error.slice(0, 64_000) : firstString(fields, 'message', 'name');
  const inner = text?.startsWith('{') ? asObject(parseJson(text)) : {};
  const message = firstString(inner, 'message') ?? text;
  const code = firstString(inner, 'code', 'type');
  return failed(causeOf(code === 'quota_exceeded' ? 'rate_limit' : code, message), message);
}

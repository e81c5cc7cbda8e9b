// `session.error`: a named error with data; the user's own interruption is one of them, and no failure.
import { causeOf } from '../shared/error-causes.ts';
import { firstString } from '../shared/fields.ts';
import type { PartialHook } from '../shared/parser.ts';
import { failed, noted } from '../shared/event-builders.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';

/** Answers that are longer say nothing, in characters. */
const LONGEST = 64_000;

/** The session failed, or was interrupted. */
export function opencodeFailure(error: unknown): PartialHook {
  const fields = asObject(error);
  const name = firstString(fields, 'name');
  if (name === 'MessageAbortedError') return noted('interrupted');
  const data = asObject(fields['data']);
  const message = firstString(data, 'message') ?? firstString(fields, 'message') ?? name;
  if (name === 'ProviderAuthError') return failed('auth', message);
  const status = data['statusCode'];
  return failed(causeOf(codeIn(data['responseBody']), message, typeof status === 'number' ? status : null), message);
}

/** The code that the service gave: one status stands for a limit and for credit that is used up. */
function codeIn(body: unknown): string | null {
  const answer = typeof body === 'string' && body.length < LONGEST ? asObject(parseJson(body)) : {};
  return firstString(asObject(answer['error']), 'code', 'type');
}

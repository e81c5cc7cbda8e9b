// `session.error`: a named error with data; the user's own interruption is one of them, and no failure.
import { causeOf } from '../shared/error-causes.ts';
import { object, string } from '../shared/fields.ts';
import type { Said } from '../shared/parser.ts';
import { failed, noted } from '../shared/event-builders.ts';

/** The session failed, or was interrupted. */
export function failure(error: unknown): Said {
  const fields = object(error);
  const name = string(fields, 'name');
  if (name === 'MessageAbortedError') return noted('interrupted');
  const data = object(fields['data']);
  const message = string(data, 'message') ?? string(fields, 'message') ?? name;
  if (name === 'ProviderAuthError') return failed('auth', message);
  const status = data['statusCode'];
  return failed(causeOf(null, message, typeof status === 'number' ? status : null), message);
}

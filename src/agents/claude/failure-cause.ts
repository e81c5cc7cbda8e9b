// Why Claude's turn failed: its code for a lost network is the one for the service's own errors, and its words tell them apart. Seen with 2.1.197 and 2.1.330.
import { causeOf } from '../shared/error-causes.ts';
import type { Cause } from '../shared/event-builders.ts';

const LOST =
  /^(?:API Error: )?(?:Connection (?:dropped|lost|closed)|Unable to connect to API \(|No response from API|Request timed out)/i;

/** `error` and `message` as its failure's hook has them. */
export function failureCause(error: string | null, message: string | null): Cause {
  const cause = causeOf(error, message);
  return cause === 'server' && LOST.test(message ?? '') ? 'network' : cause;
}

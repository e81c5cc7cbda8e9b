// Checks the organization's service with the smallest request, for doctor.
import type { Client } from '../../api/index.ts';
import { ApiError } from '../../api/client/errors.ts';
import type { CheckResult } from '../../model/channel/channel.ts';
import { UserError } from '../../model/errors.ts';

/** Longest check, ms. */
const LIMIT = 5_000;

/** Runs the check; throws only bugs. */
export async function serviceFindings(client: Pick<Client, 'computers'>): Promise<readonly CheckResult[]> {
  try {
    await client.computers.list({}, { signal: AbortSignal.timeout(LIMIT) });
    return [{ level: 'ok', text: 'the service accepts the key' }];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [fault(error)];
  }
}

/** Why the service cannot be reached, and what to do. */
export function fault(error: UserError): CheckResult {
  const kind = error instanceof ApiError ? error.kind : 'other';
  const fail = (text: string, fix: string): CheckResult => ({ level: 'fail', text, fix });
  if (kind === 'forbidden')
    return fail(
      `the key may not ask this of the service (403): ${error.message}`,
      'ask an administrator for the right, or take another key',
    );
  if (kind === 'unauthenticated')
    return fail(
      `the service does not accept the key (401): ${error.message}`,
      'give another key in [api] or BELFRY_API_KEY',
    );
  const why = kind === 'cancelled' ? `it did not answer within ${LIMIT / 1000} s` : error.message;
  return fail(`the service cannot be asked: ${why}`, 'fix `base_url` in [api], or the network');
}

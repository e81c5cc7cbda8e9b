// When a request may be sent again, and after how long.
import { type Clock, sleep } from '../../lib/clock.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ApiError, type ErrorKind } from './errors.ts';

/** The longest the client waits for Retry-After, in all attempts of a call together. */
export const LONGEST_WAIT_MS = 60_000;

const FIRST_WAIT_MS = 250;

const REPEATED: Record<Endpoint['repeat'], ReadonlySet<ErrorKind>> = {
  'any-fault': new Set(['unreachable', 'disconnected', 'cut-short', 'server', 'rate-limited']),
  'server-fault': new Set(['server']),
  never: new Set(),
};

/** Runs `once` until it succeeds, may not be repeated, or `retries` more attempts have failed too. */
export async function repeating<T>(
  once: (attempt: number) => Promise<T>,
  rules: {
    readonly repeat: Endpoint['repeat'];
    readonly retries: number;
    readonly clock: Clock;
    readonly signal: AbortSignal | undefined;
    readonly onWait: ((ms: number, after: ErrorKind) => void) | undefined;
  },
): Promise<T> {
  let waited = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await once(attempt);
    } catch (error) {
      if (!(error instanceof ApiError) || attempt >= rules.retries || !REPEATED[rules.repeat].has(error.kind))
        throw error;
      const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random());
      waited += wait;
      if (waited > LONGEST_WAIT_MS) throw error;
      rules.onWait?.(wait, error.kind);
      await sleep(wait, rules.clock, rules.signal);
      if (rules.signal?.aborted) throw new ApiError('cancelled', 'the call was cancelled; nothing more is sent');
    }
  }
}

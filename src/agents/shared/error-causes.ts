// Turns the errors of model services into one of seven causes.
import type { Cause } from './event-builders.ts';

const CODES: Readonly<Record<string, Cause>> = {
  rate_limit: 'rate-limit',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  quota_exceeded: 'rate-limit',
  usage_limit_reached: 'rate-limit',
  billing_error: 'credit',
  insufficient_quota: 'credit',
  authentication_failed: 'auth',
  authentication_error: 'auth',
  permission_error: 'auth',
  oauth_org_not_allowed: 'auth',
  invalid_api_key: 'auth',
  unauthorized: 'auth',
  server_error: 'server',
  internal_server_error: 'server',
  server_overloaded: 'server',
  server_is_overloaded: 'server',
  api_error: 'server',
  overloaded: 'server',
  overloaded_error: 'server',
  model_not_found: 'model',
  not_found_error: 'model',
};

const PHRASES: readonly (readonly [RegExp, Cause])[] = [
  [/rate.?limit|usage limit|too many requests|exhausted your [\w ]{0,40}quota|\b429\b/i, 'rate-limit'],
  [/credit balance|billing|insufficient (quota|credit|funds)|payment required|\b402\b/i, 'credit'],
  [/api.?key|unauthori[sz]ed|authenticat|not logged in|\b40[13]\b/i, 'auth'],
  [
    /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|connection (error|refused|reset|closed)|error sending request|connect to api|stream disconnected|fetch failed|network|timed? ?out/i,
    'network',
  ],
  [/overloaded|internal server error|server error|bad gateway|service unavailable|\b5\d\d\b/i, 'server'],
  [/model .{0,200}?(not (found|exist)|may not exist)|unknown model|no such model/i, 'model'],
];

/** By the client's error code, else the HTTP status, else the text of the message. */
export function causeOf(code: string | null | undefined, message?: string | null, status?: number | null): Cause {
  if (code && Object.hasOwn(CODES, code)) return CODES[code] ?? 'unknown';
  const byStatus = status ? causeOfStatus(status) : null;
  if (byStatus) return byStatus;
  const words = (message ?? '').slice(0, 4_000);
  return PHRASES.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown';
}

function causeOfStatus(status: number): Cause | null {
  if (status === 429) return 'rate-limit';
  if (status === 402) return 'credit';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model';
  if (status === 408) return 'network';
  return status >= 500 ? 'server' : null;
}

// What Pushover's answers mean (pushover.net/api, "Response Format", "Limitations").
import type { HttpResult } from '../../lib/net/http.ts';
import { asObject, isObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../shared/http-channel.ts';

const RECEIPT = /^\w{1,64}$/;
/** A quota renews within a month: ms. */
const MONTH = 31 * 24 * 3_600_000;

/** The document of an answer; null: it is not Pushover's. */
export function documentOf(end: HttpResult): JsonObject | null {
  const body = end.kind === 'answer' ? parseJson(end.body) : null;
  return isObject(body) && typeof body['status'] === 'number' ? asObject(body) : null;
}

/** The receipt of an emergency; null: none. */
export function receiptIn(value: unknown): string | null {
  const receipt = isObject(value) ? value['receipt'] : null;
  return typeof receipt === 'string' && RECEIPT.test(receipt) ? receipt : null;
}

/** `now`: Unix ms. Its own words go before the status. */
export function classifyPushover(end: HttpResult, now: number): Outcome {
  const said = documentOf(end);
  if (end.kind !== 'answer') return classifyResponse(end);
  const { status } = end;
  if (status >= 200 && status < 300)
    return said?.['status'] === 1
      ? { ok: true, status }
      : {
          ok: false,
          reason: 'invalid-config',
          error: 'the server does not answer as Pushover: check `api_url`',
          status,
        };
  if (said === null) return classifyResponse(end);
  if (status === 429) return outOfQuota(end, now);
  for (const key of ['token', 'user'] as const)
    if (said[key] === 'invalid')
      return { ok: false, reason: 'auth', error: `Pushover does not know this ${key}: check \`${key}\``, status };
  return classifyResponse(end);
}

/** Until the time that it names, in Unix seconds. */
function outOfQuota(end: Extract<HttpResult, { kind: 'answer' }>, now: number): Outcome {
  const reset = Number(end.headers['x-limit-app-reset']) * 1_000;
  const wait = Number.isFinite(reset) && reset > now ? Math.min(reset - now, MONTH) : end.retryAfter;
  const error = "the account's messages of this month are used up";
  return { ok: false, reason: 'quota', error, status: end.status, ...(wait === undefined ? {} : { retryAfter: wait }) };
}

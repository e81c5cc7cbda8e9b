// Turns an answer that is not a success into an error (sections 5 and 7 of docs/contributing/service-interface.md).
import { parseRetryAfter } from '../../lib/net/http.ts';
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import { type Answered, ApiError, type ErrorKind } from './errors.ts';
import type { Answer } from './transport.ts';
import { isObject, parseJson } from '../../lib/json/json.ts';

/** What to do next, by kind. */
const FIX: Partial<Record<ErrorKind, string>> = {
  unauthenticated: 'check the key (BELFRY_API_KEY, or `key` in [api] of config.toml)',
  forbidden: 'use a key whose owner has the role for this (analytics: Manager or Owner)',
  'not-found': 'check the id or name, and base_url',
  refused: 'check the values you gave',
  server: 'try again later',
};

const LONGEST_WORDS = 300;

/** The error for a status other than success. `now`: Unix ms, for a Retry-After with a date. */
export function failure(answer: Answer, now: number): ApiError {
  const kind = kindOf(answer.status);
  const said = words(answer);
  const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after') ?? undefined, now) ?? null;
  const what = `the service answered ${answer.status}${said.title ? ` ${said.title}` : ''}`;
  const why = said.detail ? `: ${said.detail}` : '';
  const fix = kind === 'rate-limited' ? waiting(retryAfterMs) : (FIX[kind] ?? 'check base_url and app_url');
  const request = said.requestId ? ` (request ${said.requestId})` : '';
  return new ApiError(kind, `${what}${why}; ${fix}${request}`, { ...said, status: answer.status, retryAfterMs });
}

function kindOf(status: number): ErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 429) return 'rate-limited';
  if (status >= 500) return 'server';
  return status >= 400 ? 'refused' : 'unusable-answer';
}

function waiting(ms: number | null): string {
  return ms === null ? 'rate limited, try again in a minute' : `rate limited, try again in ${Math.ceil(ms / 1000)} s`;
}

/** What the body says, of whatever shape: one line each, bounded. */
function words(answer: Answer): Pick<Answered, 'title' | 'detail' | 'requestId'> {
  const body = bodyOf(answer.text);
  const fields = isObject(body) ? body : {};
  const { title, requestId } = fields;
  return {
    title: brief(typeof title === 'string' ? title : undefined),
    detail: brief(sentences(body).join('; ')),
    requestId: brief(typeof requestId === 'string' ? requestId : (answer.headers.get('x-request-id') ?? undefined)),
  };
}

/** The body as JSON, or else as the text it is; null for a web page or nothing: the status has to do. */
function bodyOf(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  return /^\s*(<|$)/.test(text) ? null : text.slice(0, LONGEST_WORDS * 4);
}

/** Where services put what went wrong, the most specific first. */
const MOST_SPECIFIC = [
  'detail',
  'message',
  'msg',
  'error_description',
  'description',
  'reason',
  'error',
  'errors',
] as const;
const MOST_SENTENCES = 5;
const DEEPEST = 4;

function sentences(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.slice(0, MOST_SENTENCES).flatMap((one) => sentences(one, depth + 1));
  if (!isObject(value)) return [];
  for (const name of MOST_SPECIFIC) {
    const found = sentences(value[name], depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function brief(text: string | undefined): string | null {
  return text ? cutGraphemes(oneLine(text), LONGEST_WORDS) || null : null;
}

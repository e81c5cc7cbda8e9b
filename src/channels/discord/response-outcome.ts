// What Discord's answers mean: its JSON error code goes before the status (docs.discord.com, "JSON Error Codes", "Rate Limits").
import { type HttpResult, parseRetryAfter } from '../../lib/net/http.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../shared/http-channel.ts';

/** Codes that the channel acts on. */
export const CODES = {
  unknownChannel: 10_003,
  unknownMessage: 10_008,
  unknownWebhook: 10_015,
  invalidToken: 50_027,
  threadLocked: 160_005,
} as const;

/** What concerns the settings rather than one message, and what to do. */
const MEANING: Readonly<Record<number, readonly [Reason, string]>> = {
  [CODES.unknownChannel]: ['invalid-config', 'the channel or thread does not exist: check `thread`'],
  [CODES.unknownWebhook]: ['invalid-config', 'the webhook was deleted: create a new one and set `url`'],
  [CODES.invalidToken]: ['auth', 'the webhook does not know this token: copy its URL again'],
  [CODES.threadLocked]: ['invalid-config', 'the thread is locked: unlock it or set another `thread`'],
  160006: ['server', 'the forum has too many active threads'],
  220001: ['invalid-config', 'the webhook posts to a forum: set thread = "session"'],
  220003: ['invalid-config', 'threads can be created in forums only: remove `thread`'],
  220004: ['invalid-config', 'this webhook cannot post to a forum: create one of your own there'],
};

/** An answer, read. */
export interface DiscordAnswer {
  readonly outcome: Outcome;
  /** Of an error. */
  readonly code: number | null;
  /** The message that was created or changed, and the channel or thread that it is in. */
  readonly message: { readonly id: string; readonly channel: string | null } | null;
}

/** `now`: Unix ms. */
export function readAnswer(end: HttpResult, now: number): DiscordAnswer {
  if (end.kind !== 'answer') return { outcome: classifyResponse(end), code: null, message: null };
  const body = asObject(parseJson(end.body));
  const isError = end.status >= 300;
  const code = isError && Number.isSafeInteger(body['code']) ? Number(body['code']) : null;
  const [reason, what] = (code === null ? undefined : MEANING[code]) ?? [];
  const outcome = classifyResponse({ ...end, retryAfter: waitOf(end, body, now) }, reason);
  const isGlobal = end.status === 429 && (body['global'] === true || end.headers['x-ratelimit-global'] !== undefined);
  const more = what ?? (isGlobal ? 'the limit of all webhooks of this address' : undefined);
  const id = isError ? null : snowflake(body['id']);
  return {
    outcome:
      outcome.ok || more === undefined ? outcome : { ...outcome, error: `Discord answered ${end.status}: ${more}` },
    code,
    message: id === null ? null : { id, channel: snowflake(body['channel_id']) },
  };
}

/** Ms to wait: the header and the body both may say so, and the longer one is safe. */
function waitOf(
  end: Extract<HttpResult, { kind: 'answer' }>,
  body: Readonly<Record<string, unknown>>,
  now: number,
): number | undefined {
  if (end.status !== 429 || typeof body['retry_after'] !== 'number') return end.retryAfter;
  const inBody = parseRetryAfter(String(body['retry_after']), now);
  return inBody === undefined ? end.retryAfter : Math.max(inBody, end.retryAfter ?? 0);
}

/** An id of Discord's, which is a number beyond what JSON's numbers hold. */
export function snowflake(value: unknown): string | null {
  return typeof value === 'string' && /^\d{1,25}$/.test(value) ? value : null;
}

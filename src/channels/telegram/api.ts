// Calls of Telegram's Bot API and what its answers mean (core.telegram.org/bots/api, "Making requests", "ResponseParameters").
import { type HttpResult, sendRequest } from '../../lib/net/http.ts';
import { asObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import { oneLine, truncate } from '../../lib/text/text.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../shared/http-channel.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import type { TelegramSettings } from './settings.ts';

/** A call's result, or why there is none. */
export type Called =
  | { readonly ok: true; readonly status: number; readonly result: unknown }
  | {
      readonly ok: false;
      readonly outcome: Extract<Outcome, { ok: false }>;
      /** Telegram's own words; empty where it said none. */
      readonly description: string;
      /** The supergroup that the group has become. */
      readonly movedTo: number | null;
    };

/** Where to, and as which bot. */
export type BotAccess = Pick<TelegramSettings, 'token' | 'api_url' | 'allow_private'>;

/** A token as @BotFather gives it: it becomes a part of the path. */
const TOKEN = /^\d{1,20}:[\w-]{10,100}$/;
const DESCRIPTION = 150;

/** One call. Never throws. */
export async function callTelegram(
  { token, api_url: api, allow_private: allowPrivate }: BotAccess,
  method: string,
  params: JsonObject,
  bounds: CallBounds,
): Promise<Called> {
  if (!TOKEN.test(token))
    return failure('invalid-config', 'the token is not one of @BotFather: it is a number, a colon and letters');
  const url = `${api}/bot${token}/${method}`;
  const headers = { 'content-type': 'application/json' };
  const end = await sendRequest({
    method: 'POST',
    url,
    headers,
    body: JSON.stringify(params),
    allowPrivate,
    ...bounds,
  });
  return calledOf(end);
}

function failure(reason: Reason, error: string): Called {
  return { ok: false, outcome: { ok: false, reason, error }, description: '', movedTo: null };
}

function calledOf(end: HttpResult): Called {
  const body = end.kind === 'answer' ? asObject(parseJson(end.body)) : {};
  if (end.kind === 'answer' && end.status === 200 && body['ok'] === true)
    return { ok: true, status: end.status, result: body['result'] };
  const description = typeof body['description'] === 'string' ? oneLine(body['description']) : '';
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = asObject(body['parameters']);
  const outcome = classifyResponse(end, reasonOf(end, description));
  if (outcome.ok) throw new Error('a reason makes a failure');
  return {
    ok: false,
    description,
    movedTo: typeof movedTo === 'number' && Number.isSafeInteger(movedTo) ? movedTo : null,
    outcome: {
      ...outcome,
      ...(description === '' ? {} : { error: errorOf(outcome, description) }),
      ...(typeof seconds === 'number' && seconds >= 0 ? { retryAfter: seconds * 1_000 } : {}),
    },
  };
}

/** Telegram's words, and what to do where they do not say it. */
function errorOf({ error, reason, status }: Extract<Outcome, { ok: false }>, description: string): string {
  const fix = reason === 'auth' && status !== 403 ? ': get the token from @BotFather and store it again' : '';
  return `${error.split(':')[0]}: ${truncate(description, DESCRIPTION)}${fix}`;
}

/** 400 is one message's, unless Telegram's words are about the chat or the bot. */
const OF_THE_CHANNEL =
  /chat not found|chat_id is empty|group chat was (?:deactivated|upgraded)|PEER_ID_INVALID|not enough rights|have no rights|message thread not found|TOPIC_(?:CLOSED|DELETED)|CHAT_WRITE_FORBIDDEN|need administrator rights|not a forum/i;

function reasonOf(end: HttpResult, description: string): Reason | undefined {
  if (end.kind !== 'answer') return undefined;
  if (end.status === 400) return OF_THE_CHANNEL.test(description) ? 'invalid-config' : 'client';
  // Telegram's answer to a token of the right form that belongs to no bot.
  if (end.status === 404 && description !== '') return 'auth';
  return end.status >= 200 && end.status < 300 ? 'invalid-config' : undefined;
}

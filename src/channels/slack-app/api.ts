// Calls of Slack's Web API and what its answers mean (docs.slack.dev, "Using the Slack Web API", "Rate limits").
import { type HttpResult, sendRequest } from '../../lib/net/http.ts';
import { asObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../shared/http-channel.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import { errorWordOf, slackReason } from '../shared/slack.ts';
import type { SlackAppSettings } from './settings.ts';

/** A call's answer, or why there is none. */
export type Called =
  | {
      readonly ok: true;
      readonly status: number;
      readonly answer: JsonObject;
      readonly scopes: readonly string[] | null;
    }
  | {
      readonly ok: false;
      readonly outcome: Extract<Outcome, { ok: false }>;
      /** Slack's error word; null where it said none. */
      readonly word: string | null;
    };

/** Where to, and with which token. */
export interface SlackAccess extends Pick<SlackAppSettings, 'api_url' | 'allow_private'> {
  readonly token: string;
}

/** Answers repeat the message, with six bytes for many a character. */
const ANSWER_LIMIT = 512 * 1024;

/** What to do about the words that people meet. */
const FIXES: Readonly<Record<string, string>> = {
  not_in_channel: 'the app is not in this channel: write /invite and its name there',
  channel_not_found: 'there is no such channel, or the app cannot see it: check `channel`, invite the app',
  is_archived: 'the channel is archived: set another `channel`',
  users_not_found: 'nobody in this workspace has the address in `dm`',
  invalid_auth: 'Slack does not know this token: copy it again',
  token_revoked: 'the token was revoked: install the app again and copy the new one',
  account_inactive: 'the app was removed from the workspace: install it again',
  not_allowed_token_type: 'a token of the wrong kind: `token` begins with xoxb-, `app_token` with xapp-',
  message_limit_exceeded: 'the workspace has sent as many messages as its plan allows',
  msg_too_long: 'Slack finds this message too long',
};

/** One call. `form`: the few methods that take no JSON. Never throws. */
export async function callSlack(
  { token, api_url: api, allow_private: allowPrivate }: SlackAccess,
  method: string,
  params: JsonObject,
  bounds: CallBounds & { readonly form?: boolean },
): Promise<Called> {
  if (!/^[\x21-\x7e]{1,1000}$/.test(token))
    return failure('invalid-config', 'the token is not one of Slack: it has no spaces or special characters');
  const { form = false, ...limits } = bounds;
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = form ? new URLSearchParams(params as Record<string, string>).toString() : JSON.stringify(params);
  const end = await sendRequest({
    method: 'POST',
    url: `${api}/${method}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': `${type}; charset=utf-8` },
    body,
    allowPrivate,
    limit: ANSWER_LIMIT,
    ...limits,
  });
  return calledOf(end);
}

function failure(reason: Reason, error: string): Called {
  return { ok: false, outcome: { ok: false, reason, error }, word: null };
}

function calledOf(end: HttpResult): Called {
  const answer = end.kind === 'answer' ? asObject(parseJson(end.body)) : {};
  if (end.kind === 'answer' && end.status === 200 && answer['ok'] === true)
    return { ok: true, status: end.status, answer, scopes: scopesOf(end.headers['x-oauth-scopes']) };
  const word = end.kind === 'answer' ? errorWordOf(end.body) : null;
  const outcome = classifyResponse(end, reasonOf(end, word));
  if (outcome.ok) throw new Error('a reason makes a failure');
  if (end.kind !== 'answer') return { ok: false, outcome, word };
  if (word === null && end.status < 300)
    return {
      ok: false,
      word,
      outcome: { ...outcome, error: 'the server answers, but not as Slack does: check `api_url`' },
    };
  return word === null
    ? { ok: false, outcome, word }
    : { ok: false, outcome: { ...outcome, error: errorOf(word, answer) }, word };
}

/** Slack's word goes before the status; one that nobody knows concerns this message only. */
function reasonOf(end: HttpResult, word: string | null): Reason | undefined {
  if (end.kind !== 'answer') return undefined;
  const isError = end.status >= 300;
  if (word === null) return isError ? undefined : 'invalid-config';
  return slackReason(word) ?? (isError ? undefined : 'client');
}

function errorOf(word: string, { needed }: JsonObject): string {
  const scope = word === 'missing_scope' && typeof needed === 'string' ? cutGraphemes(oneLine(needed), 60) : '';
  const fix = scope === '' ? FIXES[word] : `give the app the scope ${scope} and install it again`;
  return fix === undefined ? `Slack answered ${word}` : `Slack answered ${word}: ${fix}`;
}

function scopesOf(header: string | readonly string[] | undefined): readonly string[] | null {
  return typeof header === 'string' ? header.split(',').map((scope) => scope.trim()) : null;
}

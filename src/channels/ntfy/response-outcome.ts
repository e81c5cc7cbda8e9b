// What ntfy's answers mean: its own error codes (server/errors.go) go before the status.
import type { HttpResult } from '../../lib/net/http.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../shared/http-channel.ts';

interface Meaning {
  readonly reason: Reason;
  readonly text: string;
}

const MEANINGS: Readonly<Record<number, Meaning>> = {
  40009: { reason: 'invalid-config', text: 'the server does not accept this topic' },
  40010: { reason: 'invalid-config', text: 'the topic is reserved by the server: choose another' },
  40101: { reason: 'auth', text: 'check the token, or user and password, of this channel' },
  40301: {
    reason: 'auth',
    text: 'this account may not publish to the topic: ask for write access, or use another topic',
  },
  41301: { reason: 'client', text: 'the message is too large for this server' },
  41303: { reason: 'client', text: 'the message is too large for this server' },
  42901: { reason: 'rate-limited', text: 'too many requests' },
  42908: { reason: 'quota', text: "today's messages are used up; the server accepts more after 00:00 UTC" },
  42909: { reason: 'rate-limited', text: 'too many failed logins from this address' },
};

/** The quota of a day. */
export const QUOTA = 42908;
/** Requests, or failed logins, in a short time: nothing says how long to wait. */
export const TOO_FAST: readonly number[] = [42901, 42909];

/** The error code of an answer; null: it has none. */
export function codeOf(end: HttpResult): number | null {
  if (end.kind !== 'answer') return null;
  const { code } = asObject(parseJson(end.body));
  return typeof code === 'number' ? code : null;
}

/** The outcome of an answer, as far as one message is concerned. */
export function classifyNtfy(end: HttpResult): Outcome {
  const code = codeOf(end);
  const meaning = code === null ? undefined : MEANINGS[code];
  const outcome = classifyResponse(end, meaning?.reason);
  if (outcome.ok || end.kind !== 'answer' || !meaning) return outcome;
  return { ...outcome, error: `answered ${end.status} (${code}): ${meaning.text}` };
}

/** What the server says it published; null: this is no answer of ntfy's. */
export function publishedOf(body: string): { readonly sequence: string | null } | null {
  const { id, event, sequence_id: sequence } = asObject(parseJson(body));
  if (typeof id !== 'string' || event !== 'message') return null;
  return { sequence: typeof sequence === 'string' ? sequence : null };
}

// Requests to one Discord webhook. Whether one that exists no more is asked again is the worker's to decide: a refusal makes the channel failing, and it is probed
// now and then, which is far from where Discord blocks an address.
import { type HttpRequest, sendRequest } from '../../lib/net/http.ts';
import { addressFault } from '../../lib/net/outbound-url.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import { asOutcome } from '../shared/operations.ts';
import { type DiscordAnswer, readAnswer } from './response-outcome.ts';

/** Settings as far as sending goes. */
export interface DiscordSettings {
  readonly url: string;
  readonly thread?: string | undefined;
  readonly allow_private: boolean;
}

/** One request: about the message `id`, in `thread`; `body` is made into JSON. */
export type AskWebhook = (
  method: Extract<HttpRequest['method'], 'POST' | 'PATCH' | 'DELETE'>,
  query: { readonly id?: string; readonly thread?: string | null },
  body: () => unknown,
  by: { readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<DiscordAnswer>;

/** Connects to nothing yet. */
export function createWebhookClient(settings: DiscordSettings, tools: ChannelTools): AskWebhook {
  return async (method, query, body, by) => {
    const nothing = { code: null, message: null };
    const fault = addressFault(settings.url);
    if (fault !== null) return { ...nothing, outcome: { ok: false, reason: 'invalid-config', error: fault } };
    const content = method === 'DELETE' ? undefined : asOutcome(() => JSON.stringify(body()));
    if (typeof content === 'object') return { ...nothing, outcome: content };
    const url = addressOf(settings.url, method, query);
    const headers = {
      'user-agent': 'Belfry',
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const bounds = { timeout: by.timeoutMs, signal: by.signal, allowPrivate: settings.allow_private, now: tools.now };
    const end = await sendRequest({
      method,
      url,
      headers,
      ...(content === undefined ? {} : { body: content }),
      ...bounds,
    });
    return readAnswer(end, tools.now());
  };
}

/** `wait=true`: otherwise a message that was not saved would be no error, and have no id. */
function addressOf(webhook: string, method: string, { id, thread }: { id?: string; thread?: string | null }): string {
  const url = new URL(webhook.trim());
  if (id !== undefined) url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/messages/${id}`;
  if (method === 'POST') url.searchParams.set('wait', 'true');
  if (typeof thread === 'string') url.searchParams.set('thread_id', thread);
  return url.href;
}

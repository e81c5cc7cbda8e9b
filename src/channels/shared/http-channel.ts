// A channel whose every operation is one HTTP request: the bounds, the refusals and the meaning of answers are the same for all of them.
import { type HttpRequest, type HttpResult, sendRequest } from '../../lib/net/http.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';
import { asOutcome, createOperations } from './operations.ts';

/** How a request ended: an answer of any status, or none. */
export type HttpOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly retryAfter: number | undefined }
  | {
      readonly kind: 'timeout' | 'network' | 'refused' | 'cancelled';
      readonly error: string;
      readonly written: boolean;
    };

const FAULTS = { timeout: 'timeout', network: 'network', refused: 'invalid-config', cancelled: 'timeout' } as const;

/** Classifies how a request ended. `reason` overrules the status. The answer is the receiver's own: whoever keeps it takes secrets out and cuts it. */
export function classifyResponse(end: HttpOutcome, reason?: Reason): Outcome {
  if (end.kind !== 'answer')
    return {
      ok: false,
      reason: FAULTS[end.kind],
      error: end.written ? `${end.error}; it may have arrived all the same` : end.error,
      ...(end.written ? { unknown: true as const } : {}),
    };
  const { status, body: answer } = end;
  if (status >= 200 && status < 300 && !reason) return { ok: true, status, answer };
  return {
    ok: false,
    reason: reason ?? reasonOf(status),
    error: `answered ${status}${MEANING[status] ?? ''}`,
    status,
    answer,
    ...(end.retryAfter === undefined ? {} : { retryAfter: end.retryAfter }),
  };
}

/** 404, 410 and redirects mean that the configured address is wrong, so they concern the channel and not one delivery. */
export function reasonOf(status: number): Reason {
  if (status === 401 || status === 403 || status === 407) return 'auth';
  if (status === 429) return 'rate-limited';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500 || status === 425 || status === 409 || status === 423) return 'server';
  if (status === 404 || status === 405 || status === 410 || status === 421 || status < 400) return 'invalid-config';
  return 'client';
}

const MEANING: Readonly<Record<number, string>> = {
  301: ': moved; put the new address into config.toml, redirects are not followed',
  302: ': redirects are not followed; put the final address into config.toml',
  307: ': redirects are not followed; put the final address into config.toml',
  308: ': moved; put the new address into config.toml, redirects are not followed',
  400: ': the receiver does not accept this message',
  401: ': check the secret of this channel',
  403: ': check the secret and the rights of this channel',
  404: ': nothing is there; check the address of this channel',
  410: ': the address was switched off; make a new one',
  413: ': the message is too large for the receiver',
  429: ': too many messages',
};

/** The part of the request that the service's rules decide. */
export type OutgoingRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** What differs between such channels. */
export interface HttpChannelOptions {
  readonly settings: { readonly allow_private: boolean };
  readonly tools: ChannelTools;
  /** The request that does what `message.operation` says, or the outcome where none is needed or can be made. `receipt`: null for `send`. */
  readonly request: (message: OutgoingMessage, receipt: unknown) => OutgoingRequest | Outcome;
  /** What the answer means; without it, its status says so. Returns a receipt where a later operation needs one. */
  readonly classify?: (end: HttpResult, message: OutgoingMessage) => Outcome;
  /** Operations besides `send` that `request` knows. */
  readonly operations?: readonly ('update' | 'retract')[];
}

/** Opens it. No connection is its own: those of lib/net/http.ts are shared, and end soon when they are not used. */
export function httpChannel(options: HttpChannelOptions): OpenChannel {
  const { settings, tools, request, classify = (end) => classifyResponse(end), operations = [] } = options;
  const running = createOperations();

  function perform(message: OutgoingMessage, receipt: unknown, context: SendContext): Promise<Outcome> {
    return running.run(context.signal, async (signal) => {
      const made = asOutcome(() => request(message, receipt));
      if ('ok' in made) return made;
      const bounds = { timeout: context.timeoutMs, allowPrivate: settings.allow_private };
      return classify(await sendRequest({ ...made, ...bounds, signal, now: tools.now }), message);
    });
  }

  return {
    send: (message, context) => perform(message, null, context),
    ...(operations.includes('update') ? { update: perform } : {}),
    ...(operations.includes('retract') ? { retract: perform } : {}),
    close: running.close,
  };
}

// A channel whose every operation is one HTTP request: the bounds, the refusals and the meaning of answers are the same for all of them.
import { type HttpRequest, type HttpResult, sendRequest } from '../../lib/net/http.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../../model/channel/http-outcome.ts';
import { asOutcome } from './as-outcome.ts';
import { createOperations } from './running-operations.ts';

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

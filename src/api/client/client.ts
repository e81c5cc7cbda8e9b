// The client: one typed method an endpoint, made from the contract.
import { systemClock } from '../../lib/clock.ts';
import { VERSION } from '../../lib/version.ts';
import { readAnswer } from './read-answer.ts';
import { type Contract, entries } from '../contract/contract.ts';
import type { Endpoint, Input, Output, Paging } from '../contract/endpoint.ts';
import { ApiError, type ErrorKind } from './errors.ts';
import { failure } from './read-failure.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { followPages } from './follow-pages.ts';
import { repeating } from './retry.ts';
import { bearer, toParts, toUrl } from './build-request.ts';
import { exchange } from './transport.ts';

/** Length of the shortest key that is searched for in the service's answers. */
const SHORTEST_KEY = 8;

type Arguments<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

/** Calls one endpoint; throws only `ApiError`. */
export type Method<E extends Endpoint> = ((...call: Arguments<E>) => Promise<Output<E>>) &
  (E extends { readonly pages: Paging }
    ? {
        /** Every page from the one asked for. */
        pages(...call: Arguments<E>): AsyncGenerator<Output<E>, void, undefined>;
      }
    : unknown);

/** `client.RESOURCE.METHOD(input)` for every endpoint of the contract. */
export type Client = {
  readonly [R in keyof Contract]: { readonly [M in keyof Contract[R]]: MethodOf<Contract[R][M]> };
};

type MethodOf<E> = E extends Endpoint ? Method<E> : never;

type Fields = Readonly<Record<string, unknown>>;
/** A method as callers that walk the contract see it. */
export interface AnyMethod {
  (input: Fields, options?: CallOptions): Promise<Record<string, unknown>>;
  pages?: (input: Fields, options?: CallOptions) => AsyncGenerator<Record<string, unknown>, void, undefined>;
}

/** A client of the service at these addresses. Nothing is sent before a method is called. */
export function createClient(options: ClientOptions): Client {
  const made: Record<string, Record<string, AnyMethod>> = {};
  for (const { resource, method, endpoint } of entries) {
    const call: AnyMethod = (input = {}, more = {}) => callEndpoint(endpoint, options, input, more);
    if (endpoint.pages)
      call.pages = (input = {}, more = {}) =>
        followPages(endpoint, input, (next) => callEndpoint(endpoint, options, next, more), options.onWarning);
    made[resource] = { ...made[resource], [method]: call };
  }
  // Built from the very table the type is made of.
  return made as unknown as Client;
}

async function callEndpoint(
  endpoint: Endpoint,
  options: ClientOptions,
  input: Fields,
  { signal }: CallOptions,
): Promise<Record<string, unknown>> {
  const clock = options.clock ?? systemClock;
  const parts = toParts(endpoint, input, clock.now());
  const [address, setting] = endpoint.host === 'app' ? [options.appUrl, 'app_url'] : [options.baseUrl, 'base_url'];
  const authorization = bearer(options.key);
  const url = toUrl(address, parts, setting);
  const outgoing = {
    method: endpoint.method,
    url,
    headers: {
      authorization,
      accept: 'application/json',
      'user-agent': `belfry/${VERSION}`,
      ...(parts.body ? { 'content-type': 'application/json' } : {}),
    },
    body: parts.body ? JSON.stringify(parts.body) : null,
  };
  const bounds = { timeoutMs: options.timeoutMs ?? 30_000, maxBytes: options.maxBytes ?? 32_000_000, signal };
  const once = async (attempt: number): Promise<Record<string, unknown>> => {
    const began = performance.now();
    const report = (outcome: string): void =>
      options.onRequest?.({
        method: endpoint.method,
        url: url.href,
        outcome,
        ms: Math.round(performance.now() - began),
        attempt: attempt + 1,
      });
    try {
      const answer = await exchange(outgoing, bounds);
      report(String(answer.status));
      if (answer.status < 200 || answer.status > 299) throw failure(answer, clock.now());
      return readAnswer(endpoint, answer.text, answer.status);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === null) report(error.kind);
      throw withoutKey(changedOrNot(endpoint, error), options.key.trim());
    }
  };
  const { retries = 2, onWait } = options;
  return repeating(once, { repeat: endpoint.repeat, retries, clock, signal, onWait });
}

/** The request went out, and its answer did not come back whole. */
const LOST: ReadonlySet<ErrorKind> = new Set(['cut-short', 'disconnected', 'timeout']);

/** A change whose answer is lost may have been made: another kind than a read that can simply be repeated. */
function changedOrNot(endpoint: Endpoint, error: ApiError): ApiError {
  if (endpoint.method === 'GET' || !LOST.has(error.kind)) return error;
  const [what] = error.message.split('; ');
  const message = `${what}; the change may have been made: check before you send it again`;
  return new ApiError(error.kind === 'timeout' ? 'timeout' : 'unknown-outcome', message, error);
}

/** The same error, with the key taken out should the service have repeated it. */
function withoutKey(error: ApiError, key: string): ApiError {
  // Anything shorter is no secret, and would be found in any sentence.
  if (key.length < SHORTEST_KEY) return error;
  const clean = (text: string): string => text.replaceAll(key, '[key]');
  const cleanOr = (text: string | null): string | null => (text === null ? null : clean(text));
  if (![error.message, error.title, error.detail, error.requestId].some((text) => text?.includes(key))) return error;
  return new ApiError(error.kind, clean(error.message), {
    ...error,
    title: cleanOr(error.title),
    detail: cleanOr(error.detail),
    requestId: cleanOr(error.requestId),
  });
}

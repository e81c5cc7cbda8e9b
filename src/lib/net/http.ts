// One HTTP request with a time limit over the whole of it, a byte limit on the answer, no redirects, and targets checked by the address connected to.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { connectionFault, through } from './connection-fault.ts';
import { type Connection, connectionTo } from './http-connections.ts';
import { bareHost, guardedLookup, parseOutboundUrl, type Resolve } from './outbound-url.ts';
import { signInDemanded } from './proxy-tunnel.ts';

/** Longest wait believed, ms: a longer one is not credible. */
const LONGEST = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds from `now` (Unix ms) that a Retry-After value asks for: seconds or an HTTP date; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(LONGEST, Math.ceil(Number(text) * 1000));
  // An HTTP date always names a weekday and GMT; Date.parse alone would take "-1" or "2026".
  if (!/^[A-Za-z]{3,9},? .*\d/.test(text)) return undefined;
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.min(LONGEST, Math.max(0, at - now));
}

/** What to ask, and within which bounds. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ms for everything: look-up, connection, headers and body. */
  readonly timeout: number;
  /** Most bytes of the answer that are kept; the rest is not read. */
  readonly limit?: number;
  /** Private, loopback, link-local and metadata addresses may be connected to. */
  readonly allowPrivate: boolean;
  readonly signal?: AbortSignal;
  readonly resolve?: Resolve;
  /** Unix ms, for Retry-After dates. */
  readonly now?: () => number;
}

/** An answer, whatever its status, or a fault. Texts never hold the URL. */
export type HttpResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: string;
      /** Ms the receiver asked to wait. */
      readonly retryAfter: number | undefined;
    }
  | {
      readonly kind: 'timeout' | 'network' | 'refused' | 'cancelled';
      readonly error: string;
      /** The whole request had been written: the receiver may have acted on it. */
      readonly written: boolean;
    };

const ANSWER_LIMIT = 64 * 1024;

/** Sends one request; never throws, never follows a redirect. */
export function sendRequest(options: HttpRequest): Promise<HttpResult> {
  const url = parseOutboundUrl(options.url, options.allowPrivate);
  if (typeof url === 'string') return Promise.resolve({ kind: 'refused', error: url, written: false });
  if (options.signal?.aborted)
    return Promise.resolve({ kind: 'cancelled', error: 'cancelled before it was sent', written: false });
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let connection: Connection | null = null;
    let connected = false;
    let written = false;
    const settle = (result: HttpResult, whole = false): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancel);
      resolve(result);
      if (!whole) request?.destroy(); // after a whole answer the connection may serve the next request
    };
    const timer = setTimeout(
      () =>
        settle({
          kind: 'timeout',
          error: `${lateOf(url, connection, connected)} within ${options.timeout / 1000} s`,
          written,
        }),
      options.timeout,
    );
    const cancel = (): void => settle({ kind: 'cancelled', error: 'cancelled while it was being sent', written });
    options.signal?.addEventListener('abort', cancel, { once: true });
    const fail = (error: NodeJS.ErrnoException): void =>
      settle({ ...connectionFault(error, url.hostname, connection?.proxy), written });
    try {
      connection = connectionTo(url, options.allowPrivate, options.resolve);
      request = connection.request(requestOptions(url, options, connection));
    } catch (error) {
      fail(error as NodeJS.ErrnoException); // node:http throws for header values it cannot send
      return;
    }
    request.on('error', fail);
    request.on('socket', () => (connected = true));
    request.on('finish', () => (written = true));
    request.on('response', (response) => {
      const now = options.now ?? Date.now;
      readBody(response, options.limit ?? ANSWER_LIMIT, (body, error) => {
        if (error) return fail(error);
        const { statusCode: status = 0, headers } = response;
        if (status === 407 && connection?.proxy) return fail(signInDemanded(connection.proxy));
        const retryAfter = parseRetryAfter(headers['retry-after'], now());
        settle({ kind: 'answer', status, headers, body, retryAfter }, response.complete);
      });
    });
    request.end(options.body);
  });
}

function requestOptions(url: URL, options: HttpRequest, connection: Connection): RequestOptions {
  const { method, headers, body, allowPrivate, resolve } = options;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return {
    ...connection.options,
    method,
    host: bareHost(url),
    port: url.port === '' ? undefined : Number(url.port),
    headers: { ...headers, ...connection.headers, host: url.host, 'accept-encoding': 'identity', ...length },
    lookup: guardedLookup(allowPrivate, resolve),
  };
}

/** Who was late: a connection through a proxy is there once the proxy has made it. */
function lateOf(url: URL, connection: Connection | null, connected: boolean): string {
  const proxy = connection?.proxy ?? null;
  if (proxy !== null && !connected) return `the proxy ${proxy.name} did not connect to ${url.host}`;
  return `${url.hostname} did not answer${through(proxy)}`;
}

function readBody(response: IncomingMessage, limit: number, done: (body: string, error?: Error) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => done(Buffer.concat(chunks).subarray(0, limit).toString('utf8'));
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) finish();
  });
  response.on('end', finish);
  response.on('error', (error) => done('', error));
}

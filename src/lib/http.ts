// One HTTP request with a time limit over the whole of it, a byte limit on the answer, no redirects, and targets checked by the address connected to.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { agentFor, requesterOf } from './http-connections.ts';
import { parseRetryAfter } from './retry-after.ts';
import { bareHost, guardedLookup, REFUSED, type Resolve, parseOutboundUrl, blockedReason } from './outbound-url.ts';

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
          error: `${url.hostname} did not answer within ${options.timeout / 1000} s`,
          written,
        }),
      options.timeout,
    );
    const cancel = (): void => settle({ kind: 'cancelled', error: 'cancelled while it was being sent', written });
    options.signal?.addEventListener('abort', cancel, { once: true });
    const fail = (error: NodeJS.ErrnoException): void => settle({ ...connectionFault(error, url.hostname), written });
    try {
      request = requesterOf(url)({
        method: options.method,
        host: bareHost(url),
        port: url.port === '' ? undefined : Number(url.port),
        path: `${url.pathname}${url.search}`,
        headers: {
          ...options.headers,
          host: url.host,
          'accept-encoding': 'identity',
          ...(options.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(options.body)) }),
        },
        lookup: guardedLookup(options.allowPrivate, options.resolve),
        agent: options.resolve ? false : agentFor(url, options.allowPrivate), // a look-up of its own gets its own connection
      });
    } catch (error) {
      fail(error as NodeJS.ErrnoException); // node:http throws for header values it cannot send
      return;
    }
    request.on('error', fail);
    request.on('finish', () => (written = true));
    request.on('response', (response) => {
      const now = options.now ?? Date.now;
      readBody(response, options.limit ?? ANSWER_LIMIT, (body, error) => {
        if (error) return fail(error);
        const { statusCode: status = 0, headers } = response;
        const retryAfter = parseRetryAfter(headers['retry-after'], now());
        settle({ kind: 'answer', status, headers, body, retryAfter }, response.complete);
      });
    });
    request.end(options.body);
  });
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

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'was not found; check the address and the network',
  EAI_AGAIN: 'could not be resolved; is the network up?',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached: no network',
  ETIMEDOUT: 'did not answer in time',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'uses a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'uses a certificate from an untrusted issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'uses a certificate from an untrusted issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

/** What went wrong with a connection to this host, in words. */
export function connectionFault(
  error: NodeJS.ErrnoException,
  host: string,
): { kind: 'refused' | 'timeout' | 'network'; error: string } {
  const code = error.code ?? '';
  if (code === REFUSED) return { kind: 'refused', error: blockedReason(host) };
  if (code === 'ETIMEDOUT') return { kind: 'timeout', error: `${host} did not answer in time` };
  const what =
    SENTENCES[code] ??
    (code.startsWith('HPE_') ? 'sent an answer that is not HTTP' : `cannot be reached (${code || 'unknown error'})`);
  return { kind: 'network', error: `${host} ${what}` };
}

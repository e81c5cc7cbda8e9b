// One HTTP exchange: a time limit over headers and body, a byte limit, no redirect to another origin.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { connectionTo } from '../../lib/net/http-connections.ts';
import { bareHost } from '../../lib/net/outbound-url.ts';
import { ProxyError } from '../../lib/net/proxy.ts';
import { signInDemanded } from '../../lib/net/proxy-tunnel.ts';
import { ApiError } from './errors.ts';

/** What is sent. */
export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What came back, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Bounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Cancels the exchange. */
  readonly signal: AbortSignal | undefined;
}

const MOST_REDIRECTS = 5;
/** Codes of a connection that was there and ended before an answer: the request may have arrived. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends and reads; every fault is an `ApiError`. */
export async function exchange(outgoing: Outgoing, bounds: Bounds): Promise<Answer> {
  const limit = AbortSignal.timeout(bounds.timeoutMs);
  const signal = bounds.signal ? AbortSignal.any([limit, bounds.signal]) : limit;
  let { url } = outgoing;
  for (let redirects = 0; ; redirects++) {
    const response = await send({ ...outgoing, url }, signal).catch((error: unknown) => {
      throw fault(error, url, bounds, limit);
    });
    const { statusCode: status = 0 } = response;
    const headers = new Headers(
      Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    );
    if (!REDIRECTS.has(status)) {
      const text = await read(response, bounds.maxBytes).catch((error: unknown) => {
        throw error instanceof ApiError ? error : bodyFault(error, url, bounds, limit);
      });
      return { status, headers, text };
    }
    response.destroy();
    url = redirected(outgoing.method, url, { status, headers }, redirects);
  }
}

function send(outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, body } = outgoing;
  return new Promise((resolve, reject) => {
    const { request, options, headers: more, proxy } = connectionTo(url, true);
    const sent = request({
      ...options,
      method,
      host: bareHost(url),
      port: url.port === '' ? undefined : Number(url.port),
      signal,
      headers: {
        ...headers,
        ...more,
        host: url.host,
        'accept-encoding': Object.keys(DECODERS).join(', '),
        ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    sent.on('error', (error) => reject(error));
    sent.on('response', (response) => {
      if (proxy === null || response.statusCode !== 407) return resolve(response);
      response.destroy();
      reject(signInDemanded(proxy));
    });
    sent.end(body ?? undefined);
  });
}

/** Where a redirect leads, if it may be followed: the same origin, and only for what merely reads. */
function redirected(method: string, from: URL, response: Omit<Answer, 'text'>, followed: number): URL {
  const location = response.headers.get('location') ?? '';
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  const refuse = (why: string): ApiError =>
    new ApiError('redirected', `the service redirected ${why}; set base_url and app_url to its final address`, {
      status: response.status,
    });
  if (!to) throw refuse('to nowhere');
  if (to.origin !== from.origin) throw refuse(`to another origin, ${to.origin}, which does not get the key`);
  if (method !== 'GET') throw refuse('a request that changes something, which is not repeated');
  if (followed >= MOST_REDIRECTS) throw refuse('in a circle');
  return to;
}

/** How an answer may be compressed. */
const DECODERS = {
  gzip: 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
} as const;

/** The body as it was before it was compressed. */
function decoded(response: IncomingMessage): Readable {
  const named = response.headers['content-encoding'] ?? '';
  if (!Object.hasOwn(DECODERS, named)) return response;
  const decoder = process.getBuiltinModule('node:zlib')[DECODERS[named as keyof typeof DECODERS]]();
  // What breaks either ends both, and is thrown where it is read.
  return process.getBuiltinModule('node:stream').pipeline(response, decoder, () => undefined);
}

async function read(response: IncomingMessage, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of decoded(response) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new ApiError(
        'unusable-answer',
        `the answer is larger than ${Math.floor(maxBytes / 1_000_000)} MB; ask for less (fewer days, a smaller limit)`,
        { status: response.statusCode ?? null },
      );
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

function fault(error: unknown, url: URL, bounds: Bounds, limit: AbortSignal): ApiError {
  const stopped = stoppedBy(url, bounds, limit);
  if (stopped) return stopped;
  if (error instanceof ProxyError) return new ApiError('unreachable', `cannot reach ${url.origin}: ${error.message}`);
  const code = codeOf(error);
  return new ApiError(
    code !== null && BROKEN.has(code) ? 'disconnected' : 'unreachable',
    `cannot reach ${url.origin}${code ? ` (${code})` : ''}; check the address and your network`,
  );
}

function bodyFault(error: unknown, url: URL, bounds: Bounds, limit: AbortSignal): ApiError {
  const code = codeOf(error);
  return (
    stoppedBy(url, bounds, limit) ??
    new ApiError('cut-short', `the answer of ${url.origin} was cut short${code ? ` (${code})` : ''}; try again`)
  );
}

function stoppedBy(url: URL, bounds: Bounds, limit: AbortSignal): ApiError | null {
  if (bounds.signal?.aborted) return new ApiError('cancelled', 'the call was cancelled; nothing more is sent');
  if (!limit.aborted) return null;
  return new ApiError(
    'timeout',
    `no whole answer from ${url.origin} within ${bounds.timeoutMs / 1000} s; try again later`,
  );
}

/** The system's code of a network fault; its message may quote headers, so it is not shown. */
function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

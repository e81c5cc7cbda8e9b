// One HTTP exchange: a time limit over headers and body, a byte limit, no redirect to another origin.
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
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET']);
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
    if (!REDIRECTS.has(response.status)) {
      const text = await read(response, bounds.maxBytes).catch((error: unknown) => {
        throw error instanceof ApiError ? error : bodyFault(error, url, bounds, limit);
      });
      return { status: response.status, headers: response.headers, text };
    }
    await response.body?.cancel();
    url = redirected(outgoing.method, url, response, redirects);
  }
}

function send(outgoing: Outgoing, signal: AbortSignal): Promise<Response> {
  const { method, url, headers, body } = outgoing;
  return fetch(url.href, { method, headers, body, signal, redirect: 'manual' });
}

/** Where a redirect leads, if it may be followed: the same origin, and only for what merely reads. */
function redirected(method: string, from: URL, response: Response, followed: number): URL {
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

async function read(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new ApiError(
        'unusable-answer',
        `the answer is larger than ${Math.floor(maxBytes / 1_000_000)} MB; ask for less (fewer days, a smaller limit)`,
        { status: response.status },
      );
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

function fault(error: unknown, url: URL, bounds: Bounds, limit: AbortSignal): ApiError {
  const stopped = stoppedBy(url, bounds, limit);
  if (stopped) return stopped;
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
  const cause = error instanceof Error ? error.cause : null;
  const code = cause && typeof cause === 'object' && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}

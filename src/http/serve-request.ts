// One request from its headers to its answer: every check in its order, then the route's handler.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { isLoopback, type ListenAddress } from '../lib/net/listen-address.ts';
import { ACCESS, mayUse } from './access.ts';
import { type Admission, callerOf, type HttpCaller } from './admission.ts';
import { type BodyReader, type BodyRoom, BUSY, discardBody } from './body.ts';
import type { Connections } from './connections.ts';
import { COMMON_HEADERS, problemReply } from './problem.ts';
import {
  checkHost,
  checkOrigin,
  checkRepeatedHeaders,
  checkUpgrade,
  checkWriteHeaders,
  isNavigation,
  parseTarget,
} from './request-checks.ts';
import { type HttpReply, type HttpRoute, type HttpStream, matchRoute } from './route.ts';
import type { TokenIdentity, Tokens } from './tokens.ts';
import type { Place } from './page-bearer.ts';

/** What a request is served by. */
export interface RequestContext {
  /** The address it came in at. */
  readonly at: ListenAddress;
  /** Of that address, as a place says it. */
  readonly serving: string;
  readonly hosts: readonly string[];
  readonly routes: readonly HttpRoute[];
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly admission: Admission;
  readonly connections: Connections;
  readonly bodies: BodyReader;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Fires when the address is given up: connections end with their answer, streams at once. */
  readonly closing: AbortSignal;
}

/** The same with when its client has gone. */
interface OwnContext extends RequestContext {
  readonly gone: AbortSignal;
}

/** Most bytes of a body: 1 MB. */
export const BODY_LIMIT = 1_000_000;

/** Answers the request. Never rejects. `expects`: the client waits for a word before it sends its body. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  served: RequestContext,
  expects: boolean,
): Promise<void> {
  response.on('error', () => undefined); // the client has gone; there is nobody to tell
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const context = { ...served, gone: gone.signal };
  try {
    const reply = await replyTo(request, context, () => expects && response.writeContinue());
    if (reply !== null) await send(request, response, reply, context);
  } catch (error) {
    context.log('a request failed', { method: request.method ?? '', error: String(error) });
    if (response.headersSent) response.destroy();
    else await send(request, response, problemReply(500, 'this failed; daemon.log says why'), context);
  }
}

/** Null: the client has gone. */
async function replyTo(request: IncomingMessage, context: OwnContext, proceed: () => void): Promise<HttpReply | null> {
  const { headers, method = '' } = request;
  const { at, hosts, serving, gone } = context;
  const elsewhere = checkOrigin(headers, at, hosts);
  const refused =
    checkRepeatedHeaders(request.rawHeaders) ??
    checkHost(headers.host, at, hosts) ??
    (isNavigation(request) ? null : elsewhere) ??
    checkUpgrade(headers);
  if (refused) return refused;
  const target = parseTarget(request.url ?? '');
  if (target === null) return problemReply(400, 'the path is not one that is served here');

  const peer = request.socket.remoteAddress ?? '';
  const place = { host: (headers.host ?? '').toLowerCase(), serving };
  const token = await identify(headers.authorization, place, context.tokens);
  const { route, ...found } = matchRoute(context.routes, method, target.segments);
  const caller = callerOf(token === 'invalid' ? null : token, peer);
  const access = route === null ? null : ACCESS[route.name];
  const isUnmetered = token === null && access?.open === 'unmetered' && isLoopback(at);
  if (!isUnmetered && !context.admission.mayAsk(caller))
    return problemReply(429, 'too many requests: wait a second', { 'retry-after': '1' });
  if (token === 'invalid') return UNAUTHENTICATED;

  if (elsewhere && route?.navigable !== true) return elsewhere;
  const open = isLoopback(at) && (access === null || access.open !== undefined);
  if (token === null && !open) return UNAUTHENTICATED;
  if (route === null) return missing('allow' in found ? found.allow : []);
  if (token !== null && !mayUse(token.scopes, route.name)) return forbidden(ACCESS[route.name].scope);
  const writes = method !== 'GET';
  const foreign = writes && route.machine !== true ? checkWriteHeaders(headers) : null;
  if (foreign) return foreign;
  if (!writes && hasBody(request)) return problemReply(400, 'a GET has no body here');

  const params = 'params' in found ? found.params : {};
  const handle = (body: Buffer): Promise<HttpReply> =>
    route.handle({ params, query: target.query, headers, body, token, peer, place, gone });
  const limit = writes ? (token === null ? OPEN_BODY_LIMIT : (route.bodyLimit ?? BODY_LIMIT)) : 0;
  if (token === null) return withBody(request, limit, FREE, context, proceed, handle);
  const reply = await withCaller(request, caller, context, (room) =>
    withBody(request, limit, room, context, proceed, handle),
  );
  return reply === null ? null : withStream(reply, caller, token, context.admission);
}

/** Of a request without a token: it is small, and takes nobody's room. */
const OPEN_BODY_LIMIT = 4_096;
const FREE: BodyRoom = { take: () => true, give: () => undefined };

/** Within what this caller may have under way. */
async function withCaller<T>(
  request: IncomingMessage,
  caller: HttpCaller,
  { admission, connections }: RequestContext,
  serve: (room: BodyRoom) => Promise<T>,
): Promise<T | HttpReply> {
  const refused = admission.requests.take(caller);
  if (refused !== null) return refused === 'own' ? MANY_AT_ONCE : BUSY;
  const answered = connections.asks(request.socket, caller.key);
  const { bytes } = admission;
  try {
    return await serve({
      take: (count) => bytes.take(caller, count) === null,
      give: (count) => bytes.give(caller, count),
    });
  } finally {
    answered();
    admission.requests.give(caller);
  }
}

async function withBody(
  request: IncomingMessage,
  limit: number,
  room: BodyRoom,
  { bodies }: RequestContext,
  proceed: () => void,
  handle: (body: Buffer) => Promise<HttpReply>,
): Promise<HttpReply | null> {
  const read = await bodies.read(request, limit, room, proceed);
  if (read === null) return null;
  if ('refused' in read) return read.refused;
  try {
    return await handle(read.body);
  } finally {
    room.give(read.body.byteLength);
  }
}

/** Its stream, if it has one, ends with its token. */
function withStream(reply: HttpReply, caller: HttpCaller, token: TokenIdentity, admission: Admission): HttpReply {
  const { stream } = reply;
  if (stream === undefined) return reply;
  const open = admission.stream(caller, token);
  if (open === 'own') return MANY_STREAMS;
  if (open === 'all') return BUSY;
  return {
    ...reply,
    stream: async ({ write, signal }) => {
      try {
        await stream({ write, signal: AbortSignal.any([signal, open.over]) });
      } finally {
        open.end();
      }
    },
  };
}

const MANY_STREAMS = problemReply(429, 'this token has as many streams open as it may: close one first', {
  'retry-after': '5',
});
const MANY_AT_ONCE = problemReply(429, 'this token has too many requests under way: wait for some to end', {
  'retry-after': '1',
});

function forbidden(scope: string): HttpReply {
  const detail =
    scope === 'page'
      ? 'only the page may do this: `belfry dashboard` opens it'
      : `this needs a token with the scope ${scope}`;
  return problemReply(403, detail, { 'www-authenticate': 'Bearer error="insufficient_scope"' });
}

const UNAUTHENTICATED = problemReply(401, 'send a token: `belfry token add` makes one', {
  'www-authenticate': 'Bearer',
});

function missing(allow: readonly string[]): HttpReply {
  if (allow.length === 0) return problemReply(404, 'there is nothing at this path');
  return problemReply(405, `this path takes ${allow.join(', ')}`, { allow: allow.join(', ') });
}

/** Null: it presents none. A wrong one is refused even where none is needed. */
async function identify(
  header: string | undefined,
  place: Place,
  tokens: Pick<Tokens, 'verify'>,
): Promise<TokenIdentity | null | 'invalid'> {
  if (header === undefined) return null;
  const [, presented] = /^Bearer ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(header) ?? [];
  return presented === undefined ? 'invalid' : ((await tokens.verify(presented, place)) ?? 'invalid');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body, stream }: HttpReply,
  { clock, closing, gone }: OwnContext,
): Promise<void> {
  // What is left of a body would be read as the next request, or waited for: that connection ends.
  const unread = hasBody(request) && !request.readableEnded;
  const last: Record<string, string> = unread || closing.aborted || stream ? { connection: 'close' } : {};
  const bytes = String(body === null ? 0 : Buffer.byteLength(body));
  const length: Record<string, string> = stream ? {} : { 'content-length': bytes };
  response.writeHead(status, { ...COMMON_HEADERS, ...headers, ...length, ...last });
  if (body !== null) response.write(body);
  else response.flushHeaders();
  if (unread) await discardBody(request, clock);
  if (stream) await sendStream(response, stream, AbortSignal.any([gone, closing]));
  response.end();
}

/** Bytes that may wait for a client that reads slowly. */
const BACKLOG = 512 * 1024;

/** Resolves when it has ended, in whatever way. */
async function sendStream(response: ServerResponse, stream: HttpStream, signal: AbortSignal): Promise<void> {
  response.setTimeout(0); // it may be silent for long
  const write = (text: string): boolean => {
    if (response.destroyed) return false;
    response.write(text);
    if (response.writableLength <= BACKLOG) return true;
    response.destroy();
    return false;
  };
  await stream({ write, signal });
}

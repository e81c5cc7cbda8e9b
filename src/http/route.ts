// What is mounted on the HTTP server: a table of routes, each saying who may use it; handlers are handed in by the daemon.
import type { IncomingHttpHeaders } from 'node:http';
import type { RouteName } from './access.ts';
import type { TokenIdentity } from './tokens.ts';
import type { Place } from './page-bearer.ts';

/** A request that has passed every check. */
export interface HttpRequest {
  /** What the path holds in place of `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Whole, within the route's limit; empty where the method has none. */
  readonly body: Buffer;
  /** Null only where the route is open on loopback. */
  readonly token: TokenIdentity | null;
  /** IP address of the client. */
  readonly peer: string;
  readonly place: Place;
  /** Fires when the client has gone; at the latest when it has its answer. */
  readonly gone: AbortSignal;
}

/** What a handler answers; null as body: none. */
export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** What is sent after the body, until it ends or the client goes. */
  readonly stream?: HttpStream;
}

/** The rest of an answer, in pieces. Called once; ends when `signal` fires: the client has gone, or the server stops. */
export type HttpStream = (out: {
  /** False: the client does not keep up, and is cut off. */
  readonly write: (text: string) => boolean;
  readonly signal: AbortSignal;
}) => Promise<void>;

/** One method of one path. */
export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Such as `/hooks` or `/api/v1/sessions/:id`. */
  readonly path: string;
  /** Its row of the table of who may use it (access.ts). */
  readonly name: RouteName;
  /** A browser may be led to it from anywhere, such as by the file of `belfry dashboard`: it shows nothing by itself. */
  readonly navigable?: true;
  /** Programs post to it: a write that needs neither `content-type: application/json` nor `x-belfry: 1`. */
  readonly machine?: true;
  /** Most bytes of a body; 1 MB without it. */
  readonly bodyLimit?: number;
  readonly handle: (request: HttpRequest) => Promise<HttpReply>;
}

/** What a path and method lead to. */
export type RouteMatch =
  | { readonly route: HttpRoute; readonly params: Readonly<Record<string, string>> }
  | { readonly route: null; readonly allow: readonly string[] };

/** `segments`: the path's, decoded. `allow`: the methods that the path has, empty where there is no such path. */
export function matchRoute(routes: readonly HttpRoute[], method: string, segments: readonly string[]): RouteMatch {
  const allow: string[] = [];
  for (const route of routes) {
    const params = paramsOf(route.path.split('/').slice(1), segments);
    if (params === null) continue;
    if (route.method === method) return { route, params };
    allow.push(route.method);
  }
  return { route: null, allow };
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}

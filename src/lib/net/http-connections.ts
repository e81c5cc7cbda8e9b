// Connections of outgoing requests, kept for the next one, through a proxy where one is set. Node's HTTP and TLS are loaded by the first request: 4 MB that a daemon without needs not.
import type { Agent, request } from 'node:http';
import type { Resolve } from './outbound-url.ts';
import { type HttpProxy, ProxyError, proxyFor } from './proxy.ts';
import { tunnelAgent } from './proxy-tunnel.ts';

/** Ms a connection waits for the next request: shorter than any receiver does, so none is written to that the other side has closed. */
const KEPT = 1_000;
const BOUNDS = { keepAlive: true, timeout: KEPT, maxFreeSockets: 4 } as const;

const direct = new Map<string, Agent>();
/** By the proxy: those of one that is no longer set go with it. */
const proxied = new WeakMap<HttpProxy, Map<string, Agent>>();

const isTls = ({ protocol }: URL): boolean => protocol === 'https:';
const modulesOf = (url: URL) => process.getBuiltinModule(isTls(url) ? 'node:https' : 'node:http');

/** How a request to a URL goes out. */
export interface Connection {
  readonly request: typeof request;
  /** What node:http has to know of it. */
  readonly options: { readonly agent: Agent | false; readonly path: string };
  /** For the proxy itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: HttpProxy | null;
}

/** A connection is checked when it is made, by one rule: it serves targets under the same rule only. Throws ProxyError for an unusable proxy. */
export function connectionTo(url: URL, allowPrivate: boolean, resolve?: Resolve): Connection {
  const proxy = proxyFor(url);
  const path = `${url.pathname}${url.search}`;
  const key = `${isTls(url)} ${allowPrivate}`;
  const { request } = modulesOf(url);
  // A look-up of its own gets its own connection.
  if (proxy === null) {
    const make = (): Agent => new (modulesOf(url).Agent)(BOUNDS);
    return {
      request,
      options: { agent: resolve ? false : kept(direct, key, make), path },
      headers: {},
      proxy,
    };
  }
  const make = (): Agent =>
    tunnelAgent({ proxy, tunnel: isTls(url), secure: isTls(url), allowPrivate, resolve }, resolve ? {} : BOUNDS);
  const agent = resolve ? make() : kept(agentsOf(proxy), key, make);
  if (isTls(url)) return { request, options: { agent, path }, headers: {}, proxy };
  return {
    request,
    options: { agent, path: `${url.origin}${path}` },
    headers: proxy.headers,
    proxy,
  };
}

/** For a WebSocket: the agent that connects it through the proxy; undefined: there is none. A text: why the proxy cannot be used. */
export function webSocketAgent(address: string, allowPrivate: boolean): Agent | undefined | string {
  const url = new URL(address);
  try {
    const proxy = proxyFor(url);
    const secure = url.protocol === 'wss:';
    return proxy === null ? undefined : tunnelAgent({ proxy, tunnel: true, secure, allowPrivate }, {});
  } catch (error) {
    if (error instanceof ProxyError) return error.message;
    throw error;
  }
}

function agentsOf(proxy: HttpProxy): Map<string, Agent> {
  const known = proxied.get(proxy) ?? new Map<string, Agent>();
  proxied.set(proxy, known);
  return known;
}

function kept(agents: Map<string, Agent>, key: string, make: () => Agent): Agent {
  const agent = agents.get(key) ?? make();
  agents.set(key, agent);
  return agent;
}

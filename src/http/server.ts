// The one HTTP server: follows the settings without cutting off requests under way. Its routes and handlers are handed in.
import type { Clock } from '../lib/clock.ts';
import { formatAddress, type ListenAddress, parseListenAddress } from '../lib/net/listen-address.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import { BODY_LIMITS, type BodyLimits, createBodyReader } from './body.ts';
import { Connections } from './connections.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, type Listener, openListener } from './listener.ts';
import type { HttpRoute } from './route.ts';
import { serveRequest } from './serve-request.ts';
import type { Tokens } from './tokens.ts';

export interface HttpServerDeps {
  readonly tokens: Pick<Tokens, 'verify' | 'isValid'>;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** The addresses that are listened on, whenever they change. */
  readonly listening: (addresses: readonly string[]) => void;
  readonly connections?: ConnectionLimits;
  readonly mostConnections?: number;
  readonly bodies?: BodyLimits;
  readonly admission?: AdmissionLimits;
}

/** What is served, and where. */
export interface HttpServerSettings {
  readonly listen: readonly ListenAddress[];
  /** Host headers beyond the loopback names. */
  readonly hosts: readonly string[];
  readonly routes: readonly HttpRoute[];
}

export interface HttpServer {
  /** Takes new settings over; resolves when each new address was tried and each old one is given up. Never rejects. */
  configure(settings: HttpServerSettings): Promise<void>;
  /** Where this address is bound, with its real port; null: it is not. */
  bound(at: ListenAddress): ListenAddress | null;
  /** Resolves when the last request under way has ended, within the grace of a connection. */
  stop(): Promise<void>;
}

/** Listens nowhere until it is configured. */
export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { tokens, clock, log, connections: limits = CONNECTION_LIMITS, bodies = BODY_LIMITS } = deps;
  const admission = new Admission(clock, (identity) => tokens.isValid(identity), deps.admission);
  const connections = new Connections(deps.mostConnections);
  const reader = createBodyReader(clock, bodies);
  const listeners = new Map<string, Listener>();
  let settings: HttpServerSettings = { listen: [], hosts: [], routes: [] };

  const changed = (): void => deps.listening([...listeners.values()].flatMap((listener) => listener.address() ?? []));
  const open = (at: ListenAddress): Listener =>
    openListener(at, {
      clock,
      log,
      changed,
      limits,
      connected: (socket) => connections.opened(socket),
      serve: (request, response, { at: bound, serving, closing, expects }) => {
        const { hosts, routes } = settings;
        const served = { at: bound, serving, hosts, routes, closing };
        const context = { ...served, tokens, admission, connections, bodies: reader, clock, log };
        return serveRequest(request, response, context, expects);
      },
    });

  return {
    configure: async (next) => {
      settings = next;
      const wanted = new Map(next.listen.map((at) => [formatAddress(at), at]));
      const given: Promise<void>[] = [];
      for (const [address, listener] of listeners)
        if (!wanted.has(address)) {
          listeners.delete(address);
          given.push(listener.close());
        }
      for (const [address, at] of wanted)
        if (!listeners.has(address)) {
          const listener = open(at);
          listeners.set(address, listener);
          given.push(listener.tried);
        }
      if (given.length > 0) changed();
      await Promise.all(given);
    },
    bound: (at) => {
      const address = listeners.get(formatAddress(at))?.address() ?? null;
      return address === null ? null : parseListenAddress(address);
    },
    stop: async () => {
      const open = [...listeners.values()];
      listeners.clear();
      await Promise.all(open.map((listener) => listener.close()));
    },
  };
}

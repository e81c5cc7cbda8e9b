// The HTTP interface: the server with the daemon's routes on it, and the page.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agents } from '../../agents/index.ts';
import { BASE } from '../../http/api/paths.ts';
import { jsonReply, problemReply } from '../../http/problem.ts';
import type { HttpRoute } from '../../http/route.ts';
import { createHttpServer } from '../../http/server.ts';
import type { Tokens } from '../../http/tokens.ts';
import type { Envelope } from '../../ipc/envelope.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ListenAddress } from '../../lib/net/listen-address.ts';
import { VERSION } from '../../lib/version.ts';
import { lostMachines } from '../../model/remote-status.ts';
import type { Store } from '../../store/contract.ts';
import type { CommandContext } from '../commands/context.ts';
import type { EventBus } from '../shared/event-bus.ts';
import type { Log } from '../shared/log.ts';
import { createMetrics, type Metrics } from './prometheus-metrics.ts';
import { createApi } from './api.ts';
import { hookRoutes } from './hooks.ts';
import { pageRoutes } from './page/page-assets.ts';
import type { PageTokens } from './page/page-tokens.ts';
import { createReader } from './reader.ts';
import { streamRoute } from './stream.ts';

export interface HttpInterfaceDeps {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the file of tokens. */
  readonly state: string;
  /** The database's file, which reads open for themselves. */
  readonly database: string;
  /** Folder of the built programs. */
  readonly dist: string;
  /** Folder for files of this minute. */
  readonly run: string;
  /** Resolves once the envelope is in the journal. */
  readonly accept: (envelope: Envelope) => Promise<void>;
  /** Why no events can be accepted; null: they can. */
  readonly notReady: () => string | null;
}

/** What the settings say about the interface, the older form of the metrics' address included. */
export interface HttpInterfaceSettings {
  readonly listen: readonly ListenAddress[];
  readonly hosts: readonly string[];
  readonly metrics: boolean;
}

export interface HttpInterface {
  configure(settings: HttpInterfaceSettings): Promise<void>;
  /** Where this address is bound, with its real port; null: it is not. */
  bound(at: ListenAddress): ListenAddress | null;
  stop(): Promise<void>;
}

/** The contract as a document, for any token. */
const documentRoute: HttpRoute = {
  method: 'GET',
  path: `${BASE}/openapi.json`,
  name: 'document',
  handle: async () => {
    const { interfaceDocument } = await import('../../http/api/openapi.ts');
    return jsonReply(200, interfaceDocument(VERSION));
  },
};

/** `listening` gets the addresses whenever they change. */
export function createHttpInterface(
  deps: HttpInterfaceDeps,
  {
    context,
    tokens,
    pageTokens,
  }: { readonly context: CommandContext; readonly tokens: Tokens; readonly pageTokens: PageTokens },
  listening: (addresses: readonly string[]) => void,
): HttpInterface {
  const { store, bus, clock, log, database, dist, accept, notReady } = deps;
  const server = createHttpServer({ clock, log, listening, tokens });
  const metrics = createMetrics(store, bus);
  const lost = (): ReadonlyMap<string, number> => lostMachines(context.remotes.status());
  const reader = createReader({
    clock,
    lost,
    database,
    program: pathToFileURL(join(dist, 'page-reader.js')),
    rules: () => {
      const { routes, channels } = context.liveConfig.config();
      return { routes, channels: channels.map(({ name }) => name), home: context.home };
    },
    titles: Object.fromEntries(agents.map(({ name, title }) => [name, title])),
  });
  const always: readonly HttpRoute[] = [
    ...healthRoutes(notReady),
    ...hookRoutes({ accept, now: clock.now, log }),
    ...createApi({ context, reader, pageTokens }),
    streamRoute({ store, clock, reader, log, lost }),
    documentRoute,
    ...pageRoutes(join(dist, 'web')),
  ];
  return {
    configure: async ({ listen, hosts, metrics: served }) => {
      if (served) await metrics.enable();
      await server.configure({ listen, hosts, routes: served ? [...always, metricsRoute(metrics)] : always });
    },
    bound: server.bound,
    stop: async () => {
      await server.stop();
      await reader.stop();
      await tokens.flush();
    },
  };
}

/** `notReady`: why no events can be accepted; null: they can. Any token may ask. */
function healthRoutes(notReady: () => string | null): readonly HttpRoute[] {
  const common = { method: 'GET' } as const;
  const live = { ...common, name: 'live', handle: async () => jsonReply(200, { status: 'live' }) } as const;
  const ready: Omit<HttpRoute, 'path'> = {
    ...common,
    name: 'ready',
    handle: async () => {
      const why = notReady();
      return why === null ? jsonReply(200, { status: 'ready' }) : problemReply(503, why, { 'retry-after': '5' });
    },
  };
  return ['', '/api/v1'].flatMap((base) => [
    { ...live, path: `${base}/health/live` },
    { ...ready, path: `${base}/health/ready` },
  ]);
}

/** Open on loopback, as scrapers there have no token. */
function metricsRoute(metrics: Metrics): HttpRoute {
  return {
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    handle: async () => {
      const { contentType, text } = await metrics.render();
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    },
  };
}

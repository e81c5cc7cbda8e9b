// The HTTP interface: the server with the daemon's routes on it.
import type { Envelope } from '../../ipc/envelope.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ListenAddress } from '../../lib/listen-address.ts';
import type { Store } from '../../store/contract.ts';
import type { EventBus } from '../event-bus.ts';
import type { Log } from '../log.ts';
import { createHttpServer } from '../../http/server.ts';
import type { HttpRoute } from '../../http/route.ts';
import { tokenFileIn } from '../../http/token-file.ts';
import { createTokenVerifier } from '../../http/tokens.ts';
import { createMetrics } from '../metrics.ts';
import { healthRoutes } from './health.ts';
import { hookRoutes } from './hooks.ts';
import { metricsRoute } from './metrics.ts';

export interface HttpInterfaceDeps {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the file of tokens. */
  readonly state: string;
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
  stop(): Promise<void>;
}

/** `listening` gets the addresses whenever they change. */
export function createHttpInterface(
  { store, bus, clock, log, state, accept, notReady }: HttpInterfaceDeps,
  listening: (addresses: readonly string[]) => void,
): HttpInterface {
  const verify = createTokenVerifier({ file: tokenFileIn(state), now: clock.now, log });
  const server = createHttpServer({ verify, clock, log, listening });
  const metrics = createMetrics(store, bus);
  const always: readonly HttpRoute[] = [...healthRoutes(notReady), ...hookRoutes({ accept, now: clock.now, log })];
  return {
    configure: async ({ listen, hosts, metrics: served }) => {
      if (served && listen.length > 0) await metrics.enable();
      await server.configure({ listen, hosts, routes: served ? [...always, metricsRoute(metrics)] : always });
    },
    stop: () => server.stop(),
  };
}

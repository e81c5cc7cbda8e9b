// Keeps the HTTP interface as the settings want it. Nothing of it is loaded until they name an address.
import { parseListenAddress } from '../../lib/listen-address.ts';
import type { Config } from '../../model/config.ts';
import type { HttpInterface, HttpInterfaceDeps, HttpInterfaceSettings } from './interface.ts';

export interface HttpService {
  configure(config: Config): Promise<void>;
  /** Those that are listened on now. */
  addresses(): readonly string[];
  /** Lets requests under way end. */
  stop(): Promise<void>;
}

/** Off until it is configured. */
export function createHttpService(deps: HttpInterfaceDeps): HttpService {
  let loaded: Promise<HttpInterface> | null = null;
  let addresses: readonly string[] = [];
  let stopped = false;
  const load = async (): Promise<HttpInterface> => {
    const { createHttpInterface } = await import('./interface.ts');
    return createHttpInterface(deps, (now) => {
      addresses = now;
      deps.bus.publish({ type: 'listening', addresses });
    });
  };
  return {
    configure: async (config) => {
      const settings = interfaceSettings(config);
      if (stopped || (loaded === null && settings.listen.length === 0)) return;
      loaded ??= load();
      await (await loaded).configure(settings);
    },
    addresses: () => addresses,
    stop: async () => {
      stopped = true;
      await (await loaded)?.stop();
    },
  };
}

function interfaceSettings({ http, daemon }: Config): HttpInterfaceSettings {
  const older = daemon.metrics === undefined ? [] : [daemon.metrics];
  const listen = [...new Set([...http.listen, ...older])].flatMap((text) => parseListenAddress(text) ?? []);
  return { listen, hosts: http.hosts, metrics: http.metrics || older.length > 0 };
}

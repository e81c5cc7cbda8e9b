// `[network] proxy` put into force.
import { useProxy } from '../lib/net/proxy.ts';
import type { Config } from '../model/settings/config.ts';
import { resolveSecret } from './secrets/resolve-secrets.ts';

/** Requests of this process follow the setting from now on. A secret that cannot be found fails them: none goes past the proxy. */
export async function applyProxy(
  { network }: Pick<Config, 'network'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const found = await resolveSecret(network.proxy, env);
  useProxy('value' in found ? found.value : { fault: found.error }, env);
}

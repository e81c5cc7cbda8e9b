// The client of the organization's service as configured; the environment goes before the settings. Loaded when first asked for.
import type { Client } from '../api/index.ts';
import { resolveSecret } from '../config/secrets.ts';
import type { Config } from '../model/config.ts';

/** The client for these settings; null when address or key is missing. */
export type Service = () => Promise<Client | null>;

/** Makes one client for the settings in force and keeps it until they change. */
export function serviceOf(config: () => Config, env: Readonly<Record<string, string | undefined>>): Service {
  let made: { for: string; client: Client } | null = null;
  return async () => {
    const { api } = config();
    const baseUrl = env['BELFRY_API_BASE_URL'] || api.base_url;
    const appUrl = env['BELFRY_API_APP_URL'] || api.app_url;
    const given = env['BELFRY_API_KEY'] || api.key;
    if (!baseUrl || !given) return null;
    const key = await resolveSecret(given, env);
    if ('error' in key) return null;
    const identity = JSON.stringify([baseUrl, appUrl, key.value]);
    if (made?.for === identity) return made.client;
    const { createClient } = await import('../api/index.ts');
    made = { for: identity, client: createClient({ baseUrl, key: key.value, ...(appUrl ? { appUrl } : {}) }) };
    return made.client;
  };
}

// The clients of the organization's service as configured; the environment goes before the settings.
import type { Client } from '../api/index.ts';
import { resolveSecret } from '../config/secrets.ts';
import type { Config } from '../model/config.ts';

/** Clients for the settings in force; null while address or key is missing. */
export interface Service {
  /** Makes them anew, at the start and after a change of the settings. The client's code is loaded only when there is a service. */
  renew(): Promise<void>;
  /** Repeats no request: for what has a short deadline. */
  readonly hasty: () => Client | null;
  readonly patient: () => Client | null;
}

/** No clients yet. */
export function serviceOf(
  config: () => Config,
  env: Readonly<Record<string, string | undefined>>,
  log: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): Service {
  let hasty: Client | null = null;
  let patient: Client | null = null;
  return {
    renew: async () => {
      hasty = patient = null;
      const { api } = config();
      const baseUrl = env['BELFRY_API_BASE_URL'] || api.base_url;
      const appUrl = env['BELFRY_API_APP_URL'] || api.app_url;
      const given = env['BELFRY_API_KEY'] || api.key;
      if (!baseUrl || !given) return;
      const key = await resolveSecret(given, env);
      if ('error' in key) return log('the service is not asked: its key cannot be found', { why: key.error });
      const { createClient } = await import('../api/index.ts');
      const options = { baseUrl, key: key.value, ...(appUrl ? { appUrl } : {}) };
      hasty = createClient({ ...options, retries: 0 });
      patient = createClient(options);
    },
    hasty: () => hasty,
    patient: () => patient,
  };
}

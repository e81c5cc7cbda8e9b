// The clients of the organization's service as configured; the environment takes precedence over the settings.
import type { Client } from '../../api/index.ts';
import { resolveSecret } from '../../config/secrets/resolve-secrets.ts';
import type { CheckResult } from '../../model/channel/channel.ts';
import type { Config } from '../../model/settings/config.ts';
import { serviceFindings } from './service-findings.ts';

const NONE: CheckResult = { level: 'ok', text: 'no service configured' };
const NO_ADDRESS: CheckResult = {
  level: 'fail',
  text: 'there is a key for the service but no address',
  fix: 'set `base_url` in [api]',
};
const SET_KEY =
  'set `key` in [api] to one that the daemon can read (see `belfry secret`), or set BELFRY_API_KEY where the daemon starts';
const NO_KEY: CheckResult = { level: 'fail', text: 'there is an address of the service but no key', fix: SET_KEY };

/** Clients for the settings in force; null while address or key is missing. */
export interface ServiceClients {
  /** Rebuilds them, at the start and after a change of the settings. The client's code is loaded only when there is a service. */
  refresh(): Promise<void>;
  /** Without retries: for callers with a short deadline. */
  readonly noRetry: () => Client | null;
  readonly withRetry: () => Client | null;
  /** What is wrong with it, as this process has its address and key. */
  readonly check: () => Promise<readonly CheckResult[]>;
}

/** No clients yet. */
export function createServiceClients(
  config: () => Config,
  env: Readonly<Record<string, string | undefined>>,
  log: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): ServiceClients {
  let noRetry: Client | null = null;
  let withRetry: Client | null = null;
  let why: CheckResult = NONE;

  async function makeClients(): Promise<{ readonly noRetry: Client; readonly withRetry: Client } | null> {
    const { api } = config();
    const baseUrl = env['BELFRY_API_BASE_URL'] || api.base_url;
    const appUrl = env['BELFRY_API_APP_URL'] || api.app_url;
    const given = env['BELFRY_API_KEY'] || api.key;
    why = !baseUrl && !given ? NONE : !baseUrl ? NO_ADDRESS : NO_KEY;
    if (!baseUrl || !given) return null;
    const key = await resolveSecret(given, env);
    if ('error' in key) {
      why = { level: 'fail', text: `the key of the service cannot be found: ${key.error}`, fix: SET_KEY };
      log('the service is not asked: its key cannot be found', { why: key.error });
      return null;
    }
    const { createClient } = await import('../../api/index.ts');
    const options = { baseUrl, key: key.value, ...(appUrl ? { appUrl } : {}) };
    return { noRetry: createClient({ ...options, retries: 0 }), withRetry: createClient(options) };
  }

  return {
    refresh: async () => {
      const clients = await makeClients(); // until then the former ones serve
      noRetry = clients?.noRetry ?? null;
      withRetry = clients?.withRetry ?? null;
    },
    noRetry: () => noRetry,
    withRetry: () => withRetry,
    check: async () => (noRetry === null ? [why] : serviceFindings(noRetry)),
  };
}

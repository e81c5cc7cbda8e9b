// From settings and environment to a client, and from an endpoint to its call.
import type { Command } from 'commander';
import { type AnyMethod, type Client, createClient } from '../../api/client/client.ts';
import type { Entry } from '../../api/contract/contract.ts';
import { secretRefKind } from '../../lib/secrets/secret-ref.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { resolveOwnPaths } from '../../runtime/own-paths.ts';
import type { Io } from '../io.ts';
import { durationOf } from '../options/times.ts';

/** A wait long enough to be reported. */
const LONG_WAIT_MS = 2_000;

/** Longest `--timeout`, ms; Node's timers take no more than 24 days. */
const LONGEST_TIMEOUT = 86_400_000;

/** Options every call takes. */
export interface CallFlags {
  readonly verbose?: true;
  readonly timeout?: string;
}

/** Adds the options every call takes. */
export function callOptions(leaf: Command): void {
  leaf.option('--timeout <D>', 'how long to wait for one answer (default: 30s)');
  leaf.option('--verbose', 'log requests and answers to stderr');
}

/** The client for these settings; the environment wins over [api]. */
export async function connectClient(io: Io, flags: CallFlags): Promise<Client> {
  const timeoutMs = flags.timeout === undefined ? undefined : durationOf(flags.timeout, '--timeout', LONGEST_TIMEOUT);
  return createClient({
    ...(await settings(io.env)),
    timeoutMs,
    onWait: (ms) => {
      if (process.stderr.isTTY && ms >= LONG_WAIT_MS)
        io.note(`\r\x1b[Kthe service asked to wait: continuing in ${Math.ceil(ms / 1000)} s`);
    },
    // A line of progress may be where this is written.
    onWarning: (text) => io.note(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${io.name}: ${text}`),
    ...(flags.verbose
      ? {
          onRequest: ({ method, url, outcome, ms, attempt }) =>
            io.note(`${method} ${url} ${outcome} ${ms} ms${attempt > 1 ? ` (attempt ${attempt})` : ''}`),
        }
      : {}),
  });
}

/** The client's method for an entry of the contract. */
export async function connect(io: Io, flags: CallFlags, entry: Entry): Promise<AnyMethod> {
  const client = await connectClient(io, flags);
  // The client has a method for every entry; a caller that walks the table cannot have its type.
  const methods = client as unknown as Record<string, Record<string, AnyMethod>>;
  const method = methods[entry.resource]?.[entry.method];
  if (!method) throw new Error(`the client lacks ${entry.resource}.${entry.method}`);
  return method;
}

async function settings(env: NodeJS.ProcessEnv): Promise<{ baseUrl: string; appUrl?: string; key: string }> {
  const given = { baseUrl: env['BELFRY_API_BASE_URL'], appUrl: env['BELFRY_API_APP_URL'], key: env['BELFRY_API_KEY'] };
  const { baseUrl, appUrl, key } = given;
  const [{ readConfig }, { formatDiagnostic }, { applyProxy }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../config/diagnostic.ts'),
    import('../../config/proxy-setting.ts'),
  ]);
  const paths = resolveOwnPaths();
  const loaded = await readConfig(paths);
  if (loaded.ok) await applyProxy(loaded.config, env);
  if (baseUrl && appUrl && key) return { baseUrl, appUrl, key };
  if (!loaded.ok) {
    const [first] = loaded.diagnostics;
    const where = first ? formatDiagnostic(paths.config, first) : paths.config;
    throw new UserError(`${where}; \`belfry config check\` shows all errors`, EXIT.usage);
  }
  const { api } = loaded.config;
  const app = appUrl || api.app_url;
  return {
    baseUrl: baseUrl || api.base_url || '',
    ...(app ? { appUrl: app } : {}),
    key: key || (await keyOf(api.key, env)),
  };
}

/** The key that [api] refers to; without one the client reports how to set it, and sends nothing. */
async function keyOf(reference: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
  if (!reference) return '';
  const { resolveSecret } = await import('../../config/secrets/resolve-secrets.ts');
  const secret = await resolveSecret(reference, env);
  if ('value' in secret) return secret.value;
  const why =
    secretRefKind(reference) === 'env' ? `set ${reference.slice('env:'.length)}, or BELFRY_API_KEY` : secret.error;
  throw new UserError(`no API key found for \`key\` in [api]: ${why}; nothing was sent`, EXIT.auth);
}

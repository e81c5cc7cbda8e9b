// The organization's service as the HTTP interface asks it: once, with what went wrong as a refusal.
// Not by the client's entry, whose contract is a MB that only an organization needs.
import { ApiError } from '../../../api/client/errors.ts';
import type { Client } from '../../../api/index.ts';
import { Refusal } from '../../../http/api/refusal.ts';
import type { CommandContext } from '../../commands/context.ts';

/** Throws Refusal where none is configured. */
export function clientOf({ service }: Pick<CommandContext, 'service'>): Client {
  const client = service.noRetry();
  if (client !== null) return client;
  throw new Refusal(503, 'no service is configured: set `base_url` and `key` in [api] of config.toml', {
    kind: 'not-configured',
  });
}

/** What `ask` resolves with. Throws Refusal for what the service refused or did not answer. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === 'invalid-input') throw new Refusal(400, error.message);
    throw new Refusal(502, error.message, { kind: error.kind });
  }
}

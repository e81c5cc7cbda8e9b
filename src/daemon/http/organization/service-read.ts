// GET /service/RESOURCE/METHOD: the organization's service through the daemon, so that its key stays here. Reads only.
import type { Client } from '../../../api/index.ts';
import { type Json, withoutSecrets } from '../../../api/changes/settings-difference.ts';
import { Refusal } from '../../../http/api/refusal.ts';
import type { Handlers } from '../../../http/api/routes.ts';
import type { CommandContext } from '../../commands/context.ts';
import { answered, clientOf } from './service-client.ts';

type AnyMethod = (input: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

export function serviceHandlers(context: CommandContext): Pick<Handlers, 'service.get'> {
  return {
    'service.get': async ({ params, query }) => {
      const client = clientOf(context);
      const { entries } = await import('../../../api/contract/contract.ts');
      const entry = entries.find(({ resource, method }) => resource === params.resource && method === params.method);
      if (entry === undefined || entry.endpoint.method !== 'GET')
        throw new Refusal(404, 'the service has no such read');
      const fields = { ...entry.endpoint.params.shape, ...entry.endpoint.query.shape };
      const input = Object.entries(query).map(([name, value]) => [name, asField(fields[name], String(value))]);
      return ask(client, entry.resource, entry.method, Object.fromEntries(input));
    },
  };
}

/** A number where the field takes one and no text. */
function asField(field: unknown, text: string): unknown {
  const takes = (value: unknown): boolean =>
    (field as { safeParse?: (value: unknown) => { success: boolean } } | undefined)?.safeParse?.(value).success ===
    true;
  return !takes(text) && /^\d{1,15}$/.test(text) && takes(Number(text)) ? Number(text) : text;
}

async function ask(
  client: Client,
  resource: string,
  method: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  // The names are those of the contract, which the client is made of.
  const call = (client as unknown as Record<string, Record<string, AnyMethod>>)[resource]?.[method];
  if (call === undefined) throw new Refusal(404, 'the service has no such read');
  const answer = await answered(() => call(input));
  return withoutSecrets(answer as Json) as Record<string, unknown>; // an object stays one
}

// Where the settings refer to secrets, so that each can be looked up before somebody needs it.
import { secretRefKind } from '../../lib/secrets/secret-ref.ts';
import { apiSchema, type Config } from '../../model/settings/config.ts';
import { secretFields } from '../../model/settings/secret-fields.ts';
import type { Registries } from '../registries.ts';

/** A setting and what it refers to, such as "env:NAME". */
export interface SecretReference {
  readonly path: readonly PropertyKey[];
  readonly reference: string;
}

/** Every reference in the settings; literals are left out. */
export function secretReferences(config: Config, registries: Registries): SecretReference[] {
  const of = (base: readonly string[], schema: unknown, settings: unknown): SecretReference[] =>
    secretFields(schema, settings)
      .filter(({ value }) => secretRefKind(value) !== 'literal')
      .map(({ path, value }) => ({ path: [...base, ...path], reference: value }));
  const channels = config.channels.flatMap(({ name, type, settings }) => {
    const channel = registries.channels.find((entry) => entry.type === type);
    return channel ? of(['channels', name], channel.schema, settings) : [];
  });
  const { proxy } = config.network;
  const proxies = secretRefKind(proxy) === 'literal' ? [] : [{ path: ['network', 'proxy'], reference: proxy }];
  return [...of(['api'], apiSchema, config.api), ...proxies, ...channels];
}

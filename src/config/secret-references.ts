// Where the settings refer to secrets, so that each can be looked up before somebody needs it.
import { secretRefKind } from '../lib/secret-ref.ts';
import type { Config } from '../model/config.ts';
import type { Registries } from './registries.ts';

/** A setting and what it refers to, such as "env:NAME". */
export interface SecretReference {
  readonly path: readonly PropertyKey[];
  readonly reference: string;
}

/** Every reference in the settings; literals are left out. */
export function secretReferences(config: Config, registries: Registries): SecretReference[] {
  const given = config.channels.flatMap(({ name, type, settings }) => {
    const secrets = registries.channels.find((entry) => entry.type === type)?.secrets ?? [];
    return secrets.map((key) => ({ path: ['channels', name, key], reference: settings[key] }));
  });
  return [{ path: ['api', 'key'], reference: config.api.key }, ...given].flatMap(({ path, reference }) =>
    typeof reference === 'string' && secretRefKind(reference) !== 'literal' ? [{ path, reference }] : [],
  );
}

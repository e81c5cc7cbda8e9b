// Whether the secrets that the settings refer to can be found: asked of the daemon, whose environment counts.
import { locatedIn } from '../../../config/load.ts';
import type { MachineConfig } from '../../../config/machine/machine-config.ts';
import { registries } from '../../../config/registries.ts';
import { secretReferences } from '../../../config/secrets/secret-references.ts';
import { resolveSecret } from '../../../config/secrets/resolve-secrets.ts';
import type { Diagnostic } from '../../../config/diagnostic.ts';
import type { CheckedSecrets } from '../../../daemon/commands/secrets.ts';
import { sendCommand } from '../../../ipc/client.ts';
import type { Config } from '../../../model/settings/config.ts';
import type { Paths } from '../../../runtime/paths.ts';

/** Longest wait for the daemon, ms. */
const PATIENCE = 5_000;

/** Who looked; null: there was nothing to look up. */
export type CheckedBy = 'daemon' | 'shell' | null;

/** A warning for each secret that cannot be found. */
export async function checkSecrets(
  config: Config,
  { own, machine }: { readonly own: string | null; readonly machine: MachineConfig | null },
  paths: Paths,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly warnings: readonly Diagnostic[]; readonly by: CheckedBy }> {
  const found = secretReferences(config, registries);
  if (found.length === 0) return { warnings: [], by: null };
  const references = found.map(({ reference }) => reference);
  const asked = await askDaemon(paths, references);
  const errors = asked ?? (await Promise.all(references.map((one) => errorFromHere(one, env))));
  const issues = found.flatMap(({ path }, i) => {
    const error = errors[i] ?? null;
    return error === null ? [] : [{ path, point: 'value' as const, message: `will not work: ${error}` }];
  });
  return {
    warnings: await locatedIn(issues, own, machine),
    by: asked === null ? 'shell' : 'daemon',
  };
}

/** Null: no daemon runs, or one of another version that cannot say. */
async function askDaemon(paths: Paths, references: readonly string[]): Promise<readonly (string | null)[] | null> {
  const asked = await sendCommand(paths, 'secrets', { references }, PATIENCE);
  if (asked.state !== 'answered') return null;
  for await (const reply of asked.replies) {
    if ('error' in reply) return null;
    // Written by daemon/commands/secrets.ts of the same package.
    if (reply.done) return (reply.data as CheckedSecrets).errors;
  }
  return null;
}

async function errorFromHere(reference: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const found = await resolveSecret(reference, env);
  return 'error' in found ? found.error : null;
}

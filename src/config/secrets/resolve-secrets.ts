// Secrets in settings: "env:NAME", "file:PATH", "secret:NAME" or, with a warning, themselves.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { secretRefKind } from '../../lib/secrets/secret-ref.ts';
import { secretFields, withFieldAt } from '../../model/settings/secret-fields.ts';
import { resolvePaths } from '../../runtime/paths.ts';
import { currentEnvironment } from '../../runtime/own-paths.ts';
import { readSecret, readSecretFile, secretsFolder } from './secret-store.ts';

/** Settings with every literal secret hidden. */
export function maskSecrets(schema: unknown, settings: unknown): unknown {
  return secretFields(schema, settings).reduce(
    (masked, { path, value }) => withFieldAt(masked, path, maskSecret(value)),
    settings,
  );
}

/** A reference unchanged; a literal as a mask. */
function maskSecret(value: string): string {
  return secretRefKind(value) === 'literal' ? '(hidden)' : value;
}

/** The secret's value, or one line that says how to fix it. */
export async function resolveSecret(
  value: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly value: string } | { readonly error: string }> {
  const kind = secretRefKind(value);
  if (kind === 'literal') return { value };
  const name = value.slice(value.indexOf(':') + 1);
  if (kind === 'env') {
    const found = env[name];
    if (found) return { value: found };
    return {
      error: `the variable ${name} is not set in the daemon's environment: set it, then run \`belfry restart\``,
    };
  }
  if (kind === 'secret') return readSecret(secretsFolder(resolvePaths(environmentWith(env)).config), name);
  const path = name.startsWith('~/') ? join(homedir(), name.slice(2)) : name;
  const read = await readSecretFile(path);
  if ('value' in read || read.error !== null) return read;
  return { error: `cannot read ${path} (ENOENT): write the secret to this file` };
}

function environmentWith(env: Readonly<Record<string, string | undefined>>): Parameters<typeof resolvePaths>[0] {
  const { platform, home, tmp, uid } = currentEnvironment();
  return { platform, env, home, tmp, uid };
}

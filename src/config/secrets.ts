// Secrets in settings: "env:NAME", "file:PATH" or, with a warning, themselves.
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { secretRefKind } from '../lib/secret-ref.ts';

/** Most bytes of a file that holds a secret. */
const LIMIT = 64 * 1024;

/** A reference unchanged; a literal as a mask. */
export function maskSecret(value: string): string {
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
  const path = name.startsWith('~/') ? join(homedir(), name.slice(2)) : name;
  try {
    if ((await stat(path)).size > LIMIT)
      return { error: `${path} is larger than ${LIMIT / 1024} KB: name the file with the secret alone` };
    const text = (await readFile(path, 'utf8')).trim();
    return text === '' ? { error: `${path} is empty: write the secret to it` } : { value: text };
  } catch (error) {
    return {
      error: `cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown'}): write the secret to this file`,
    };
  }
}

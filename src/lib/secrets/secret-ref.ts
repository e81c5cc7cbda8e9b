// How a secret is given in the settings: by a variable, a file, a stored secret or, with a warning, as itself.

/** "env:NAME", "file:PATH", "secret:NAME", or the secret. */
export function secretRefKind(value: string): 'env' | 'file' | 'secret' | 'literal' {
  return (['env', 'file', 'secret'] as const).find((kind) => value.startsWith(`${kind}:`)) ?? 'literal';
}

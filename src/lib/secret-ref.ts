// How a secret is given in the settings: by a variable, by a file or, with a warning, as itself.

/** "env:NAME", "file:PATH", or the secret. */
export function secretRefKind(value: string): 'env' | 'file' | 'literal' {
  if (value.startsWith('env:')) return 'env';
  return value.startsWith('file:') ? 'file' : 'literal';
}

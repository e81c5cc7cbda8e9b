// What is wrong in a settings file, and where.

/** One error or warning; line and column count from 1. */
export interface Diagnostic {
  /** The file, where it is another than the one that was checked: the machine-wide one. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  /** The key it concerns, e.g. `channels.team.url`; empty for the file as a whole. */
  readonly key: string;
  /** One line: what is wrong and what to write instead. */
  readonly message: string;
}

/** `FILE:LINE:COLUMN: key: message`, as compilers and editors have it. */
export function formatDiagnostic(file: string, diagnostic: Diagnostic): string {
  const key = diagnostic.key === '' ? '' : `${diagnostic.key}: `;
  return `${diagnostic.file ?? file}:${diagnostic.line}:${diagnostic.column}: ${key}${diagnostic.message}`;
}

/** An error or warning whose place is still a path of keys. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  /** Whether to point at the key or at its value. */
  readonly point: 'key' | 'value';
  readonly message: string;
}

/** `routes[0].to` for a path. */
export function keyOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

// A value inside an object by its dotted path, as columns name it.

/** undefined: not there. */
export function at(row: Readonly<Record<string, unknown>>, path: string): unknown {
  const [parent, key] = parentOf(row, path);
  return parent && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

/** The object that holds the last part of the path, and that part; null: there is none. */
export function parentOf(
  row: Readonly<Record<string, unknown>>,
  path: string,
): readonly [Readonly<Record<string, unknown>> | null, string] {
  const parts = path.split('.');
  const key = parts.pop() ?? '';
  let value: unknown = row;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return [null, key];
    value = (value as Record<string, unknown>)[part];
  }
  return [typeof value === 'object' ? (value as Record<string, unknown> | null) : null, key];
}

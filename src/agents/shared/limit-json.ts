// A copy of JSON that later code can walk, print and store whatever an input holds.
const DEPTH = 24;
const NODES = 5_000;
const TEXT = 64_000;

/** Copies an object; what lies deeper, comes after the limit or is longer is replaced by a placeholder in square brackets. */
export function limitJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let left = NODES;
  const copy = (of: unknown, depth: number): unknown => {
    if (left-- <= 0) return '[more]';
    if (typeof of === 'string') return of.length > TEXT ? `${of.slice(0, TEXT)}[more]` : of;
    if (typeof of !== 'object' || of === null) return of;
    if (depth >= DEPTH) return '[deeper]';
    return Array.isArray(of) ? few(of).map((item) => copy(item, depth + 1)) : copyObject(of, depth);
  };
  const copyObject = (of: object, depth: number): Record<string, unknown> =>
    Object.fromEntries(
      few(Object.entries(of))
        .filter(([name]) => name !== '__proto__')
        .map(([name, item]) => [name.slice(0, 256), copy(item, depth + 1)]),
    );
  const few = <T>(items: readonly T[]): readonly T[] => items.slice(0, Math.max(0, left));
  return copyObject(value, 0);
}

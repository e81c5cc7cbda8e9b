// Finds values in a JSON tree. Of a duplicate key the last one counts, as in JSON.parse.
import type { Node } from 'jsonc-parser';

/** All property nodes with this key, in the order of the text. */
export function properties(object: Node, key: string): Node[] {
  if (object.type !== 'object') return [];
  return (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
}

/** The value that counts for a key. */
export function valueAt(object: Node, key: string): Node | undefined {
  return properties(object, key).at(-1)?.children?.[1];
}

/** The value at a path of keys; `rest` are the keys that do not exist below it. */
export function descend(root: Node, path: readonly string[]): { node: Node; rest: readonly string[] } {
  let node = root;
  for (const [index, key] of path.entries()) {
    const next = valueAt(node, key);
    if (!next) return { node, rest: path.slice(index) };
    node = next;
  }
  return { node, rest: [] };
}

/** Every value at a path, shadowed ones too, with whether it is the one that counts. */
export function everyAt(root: Node, path: readonly string[]): { node: Node; counts: boolean }[] {
  let found = [{ node: root, counts: true }];
  for (const key of path)
    found = found.flatMap(({ node, counts }) => {
      const all = properties(node, key);
      return all.flatMap((property, index) => {
        const value = property.children?.[1];
        return value ? [{ node: value, counts: counts && index === all.length - 1 }] : [];
      });
    });
  return found;
}

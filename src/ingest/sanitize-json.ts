// Makes parsed JSON safe to walk: no `__proto__` keys, no nesting that would overflow a stack.

/** Deeper values are replaced by a placeholder: no client nests its own fields this deep, and walking deeper ends in a stack overflow. */
const DEPTH = 64;

/** Changes `root` in place, without recursion. */
export function sanitizeJson(root: Record<string, unknown>): void {
  const open: { node: object; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (Object.hasOwn(node, '__proto__')) Reflect.deleteProperty(node, '__proto__');
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue;
      // Arrays have their index as key; both are set by name.
      if (depth >= DEPTH) (node as Record<string, unknown>)[key] = '(nested too deeply)';
      else open.push({ node: value, depth: depth + 1 });
    }
  }
}

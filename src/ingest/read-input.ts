// From the bytes of a hook input to an object; an unreadable one is explained in one line.
import { parseJson } from '../lib/json/json.ts';

/** What reading gave. */
export type ReadResult =
  | { readonly ok: true; readonly input: Record<string, unknown> }
  | { readonly ok: false; readonly why: string };

/** The input as an object, or why there is none. Bytes that are not UTF-8 become replacement characters. */
export function readInput(raw: Uint8Array, cut?: 'size' | 'time'): ReadResult {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return { ok: false, why: 'it is empty' };
  const value = parseJson(text);
  if (value === undefined)
    return { ok: false, why: cut === undefined ? 'it is not JSON' : `it was cut off by the bound of ${cut}` };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, why: 'it is JSON but not an object' };
  const input = value as Record<string, unknown>;
  sanitizeJson(input);
  return { ok: true, input };
}

/** Deeper values are replaced by a placeholder: no client nests its own fields this deep, and walking deeper ends in a stack overflow. */
const DEPTH = 64;

/** Makes it safe to walk: no `__proto__` keys, no deep nesting. Changes `root` in place, without recursion. */
function sanitizeJson(root: Record<string, unknown>): void {
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

// Keys and values as TOML has them, on one line.
import { stringify } from 'smol-toml';

/** A key, quoted where needed. */
export const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));

/** A value on one line. */
export function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return stringify({ v: value }).replace(/^v = /, '').trimEnd();
  const pairs = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${inlineToml(item)}`);
  return `{ ${pairs.join(', ')} }`;
}

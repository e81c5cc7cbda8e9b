// The readable difference of two settings snapshots; secrets are known by a digest only and never shown.
import { sha256 } from '../../lib/hash.ts';

/** JSON as the service sends it: section 2.8 says to treat settings generically. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One changed setting. */
export interface SettingsChange {
  /** Dotted path; list entries by their id, model or name. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

const SECRET = /api_?key|token|secret|password|authorization|credential|extraheaders|headers/i;

/** Puts a digest in the place of every secret, so that a change is seen and the secret is not kept. */
export function withoutSecrets(value: Json, key = ''): Json {
  if (value === null || typeof value !== 'object')
    return SECRET.test(key) && typeof value === 'string' && value !== '' ? mark(value) : value;
  if (Array.isArray(value)) return value.map((entry: Json) => withoutSecrets(entry, key));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withoutSecrets(entry, SECRET.test(key) ? key : name)]),
  );
}

function mark(secret: string): string {
  return `secret ${sha256(secret, 8)}`;
}

/** Every path whose value differs, in the order of the newer snapshot. */
export function difference(before: Json, after: Json): SettingsChange[] {
  const old = flatten(before);
  const now = flatten(after);
  const paths = [...new Set([...now.keys(), ...old.keys()])];
  return paths
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** Lists of plain values stay whole; lists of objects are known by their entries' names. */
function flatten(value: Json, path = '', into = new Map<string, Json>()): Map<string, Json> {
  if (value !== null && typeof value === 'object' && !isPlainList(value)) {
    const entries = Array.isArray(value)
      ? value.map((entry: Json, i): [string, Json] => [nameOf(entry) ?? String(i), entry])
      : Object.entries(value);
    for (const [key, entry] of entries) flatten(entry, path === '' ? key : `${path}.${key}`, into);
    return into;
  }
  into.set(path, value);
  return into;
}

/** A list without objects in it. */
export function isPlainList(value: Json | undefined): value is readonly (null | boolean | number | string)[] {
  return Array.isArray(value) && value.every((entry) => entry === null || typeof entry !== 'object');
}

function nameOf(entry: Json): string | null {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return null;
  const named = entry as { readonly [key: string]: Json };
  for (const key of ['id', 'model', 'name', 'repo'])
    if (typeof named[key] === 'string' && named[key] !== '') return `[${named[key]}]`;
  return null;
}

/** "sandbox.enabled: true -> false", "commandDenylist: removed rm -rf". */
export function describeChange({ path, before, after }: SettingsChange): string {
  if (isPlainList(before) && isPlainList(after)) {
    const gone = before.filter((entry) => !after.includes(entry)).map(String);
    const come = after.filter((entry) => !before.includes(entry)).map(String);
    const parts = [come.length > 0 ? `added ${few(come)}` : '', gone.length > 0 ? `removed ${few(gone)}` : ''].filter(
      Boolean,
    );
    return `${path}: ${parts.join(', ') || 'put in another order'}`;
  }
  if (before === undefined) return `${path}: set to ${show(after)}`;
  if (after === undefined) return `${path}: removed (was ${show(before)})`;
  if (isMark(before) || isMark(after)) return `${path}: changed (secret, not shown)`;
  return `${path}: ${show(before)} -> ${show(after)}`;
}

/** What a change takes away and what it puts in its place, as text; secrets are not shown. */
export function sidesOf({ before, after }: SettingsChange): { readonly removed: string[]; readonly added: string[] } {
  if (isPlainList(before) && isPlainList(after)) {
    const removed = before.filter((entry) => !after.includes(entry)).map(String);
    return { removed, added: after.filter((entry) => !before.includes(entry)).map(String) };
  }
  return { removed: before === undefined ? [] : [show(before)], added: after === undefined ? [] : [show(after)] };
}

function show(value: Json | undefined): string {
  if (isMark(value)) return 'a secret (not shown)';
  const text = isPlainList(value)
    ? few(value.map(String))
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value) ?? 'nothing');
  return text.length > 120 ? `${text.slice(0, 119)}…` : text === '' ? '(empty)' : text;
}

function isMark(value: Json | undefined): boolean {
  return typeof value === 'string' && /^secret [0-9a-f]{8}$/.test(value);
}

function few(entries: readonly string[]): string {
  if (entries.length === 0) return 'nothing';
  return entries.length <= 5 ? entries.join(', ') : `${entries.slice(0, 5).join(', ')} and ${entries.length - 5} more`;
}

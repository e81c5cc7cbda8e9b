// Proves on the parsed values, before anything is written, that an edit did what it should and nothing else.
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'jsonc-parser';
import type { Document } from './document.ts';
import { entriesOf, type HooksShape } from './entries.ts';
import type { IsOurs, WantedEntry } from './hooks.ts';
import { isObject } from '../../src/lib/json/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** Throws (a bug of ours, nothing written yet) unless `after` has exactly `wanted` of ours and everything else is as in `before`. */
export function verifyEdit(
  before: Document,
  after: Document,
  shape: HooksShape,
  wanted: readonly WantedEntry[],
  isOurs: IsOurs,
): void {
  const ours = entriesOf(after.root, shape).filter((entry) => isOurs(entry.command));
  const found = ours.map((entry) => `${entry.event} ${entry.command}`).sort();
  const asked = wanted.map((want) => `${want.event} ${String(want.entry[shape.commandKey])}`).sort();
  if (!isDeepStrictEqual(found, asked) || ours.some((entry) => !entry.counts))
    throw new Error(`${after.file}: the edited text does not hold the hooks it should; nothing was written`);
  if (!isDeepStrictEqual(foreign(before, shape, isOurs), foreign(after, shape, isOurs)))
    throw new Error(`${after.file}: the edit would change something that is not ours; nothing was written`);
}

/** The file's value without ours and without what an installation adds or leaves empty. */
function foreign(doc: Document, shape: HooksShape, isOurs: IsOurs): unknown {
  const value: unknown = parse(doc.text, [], { allowTrailingComma: true });
  const ours = (entry: unknown): boolean => {
    const command = isObject(entry) ? entry[shape.commandKey] : undefined;
    return typeof command === 'string' && isOurs(command);
  };
  const others = (list: unknown): unknown => (Array.isArray(list) ? list.filter((entry) => !ours(entry)) : list);
  const group = (item: unknown): unknown => (isObject(item) ? { ...item, hooks: others(item['hooks']) } : item);
  const event = (list: unknown): unknown => {
    if (!shape.nested || !Array.isArray(list)) return others(list);
    return list.filter((item) => !holdsOnlyOurs(item, ours)).map((item) => (holds(item, ours) ? group(item) : item));
  };
  const fixed = (all: Json): Json =>
    Object.fromEntries(
      Object.entries(all).filter(([key, inner]) => !isDeepStrictEqual(shape.requiredKeys[key], inner)),
    );
  const within = at(value, shape.hooksPath, (hooks) => mapValues(hooks, event));
  return isObject(within) ? fixed(within) : within;
}

function holds(group: unknown, ours: (entry: unknown) => boolean): boolean {
  return isObject(group) && Array.isArray(group['hooks']) && group['hooks'].some(ours);
}

function holdsOnlyOurs(group: unknown, ours: (entry: unknown) => boolean): boolean {
  return holds(group, ours) && isObject(group) && Array.isArray(group['hooks']) && group['hooks'].every(ours);
}

/** Changes the value at a path; what is empty afterwards is left out. */
function at(value: unknown, path: readonly string[], change: (inner: Json) => unknown): unknown {
  if (!isObject(value)) return value;
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (!(key in value)) return value;
  const { [key]: inner, ...others } = value;
  const changed = at(inner, rest, change);
  return isEmpty(changed) ? others : { ...others, [key]: changed };
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  const changed = Object.entries(object).map(([key, value]) => [key, change(value)] as const);
  return Object.fromEntries(changed.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

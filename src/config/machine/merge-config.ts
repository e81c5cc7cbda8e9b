// Somebody's own settings laid over those of the machine: which value counts, and in which file each is.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../lib/json/json.ts';
import { LEVELS } from '../../model/notification/notification.ts';
import type { Issue } from '../diagnostic.ts';
import { type Lock, type MachineConfig, routesEvents } from './machine-config.ts';

type Path = readonly PropertyKey[];

/** Where a setting is written: in one's own file or in that of the machine, and under which path there. */
export interface Place {
  readonly isMachine: boolean;
  readonly path: Path;
}

/** A value of one's own file that does not count. */
export interface Ignored {
  readonly path: Path;
  readonly lock: Lock;
}

/** Both files as one. */
export interface MergedConfig {
  readonly input: JsonObject;
  /** The built-in channels and routes are in force besides: nobody's file has others. */
  readonly keepsDefaults: boolean;
  readonly ignored: readonly Ignored[];
  readonly placeOf: (path: Path) => Place;
}

/** `own` and the machine's input as parsed, whatever is wrong with the first. */
export function mergeConfig(given: JsonObject, machine: MachineConfig | null): MergedConfig {
  if (machine === null)
    return {
      input: given,
      keepsDefaults: !definesRouting(given),
      ignored: [],
      placeOf: (path) => ({ isMachine: false, path }),
    };
  const { own, ignored } = unlocked(given, machine);
  const { routes: theirs, ...base } = machine.input;
  const { routes: mine, ...over } = own;
  const order = routeOrder(machine, Array.isArray(mine) ? mine.length : 0);
  // What is no list is an error, which the schema finds.
  const listed = mine === undefined || Array.isArray(mine);
  const routes = listed ? order.map(({ isMachine, index }) => listOf(isMachine ? theirs : mine)[index]) : mine;
  const merged = overlaid(base, over, []) as JsonObject; // two tables
  const hasRoutes = mine !== undefined || theirs !== undefined;
  return {
    input: hasRoutes ? { ...merged, routes } : merged,
    keepsDefaults: !definesRouting(own) && !routesEvents(machine),
    ignored,
    placeOf: (path) => placeOf(path, own, machine, order),
  };
}

const definesRouting = (input: JsonObject): boolean => 'channels' in input || 'routes' in input;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A date is no table, although it is an object. */
const isTable = (value: unknown): value is JsonObject => isObject(value) && !(value instanceof Date);

/** Tables key by key; a channel, a list and a single value whole. */
function overlaid(base: unknown, over: unknown, path: Path): unknown {
  if (!isTable(base) || !isTable(over) || (path[0] === 'channels' && path.length === 2)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over))
    merged[key] = Object.hasOwn(base, key) ? overlaid(base[key], value, [...path, key]) : value;
  return merged;
}

type RouteOrder = readonly { readonly isMachine: boolean; readonly index: number }[];

/** Those of the machine that come first, one's own, the machine's others. */
function routeOrder({ first }: MachineConfig, own: number): RouteOrder {
  const theirs = first.map((isFirst, index) => ({ isMachine: true, index, isFirst }));
  return [
    ...theirs.filter(({ isFirst }) => isFirst),
    ...Array.from({ length: own }, (_, index) => ({ isMachine: false, index })),
    ...theirs.filter(({ isFirst }) => !isFirst),
  ];
}

/** How many routes of the machine come before one's own. */
export const routesBefore = (machine: MachineConfig | null): number => machine?.first.filter(Boolean).length ?? 0;

function placeOf(path: Path, own: JsonObject, machine: MachineConfig, order: RouteOrder): Place {
  const [section, name, ...below] = path;
  if (section === 'routes' && typeof name === 'number') {
    const route = order[name];
    return route ? { isMachine: route.isMachine, path: [section, route.index, ...below] } : { isMachine: false, path };
  }
  const judged = section === 'channels' ? path.slice(0, 2) : path;
  const depths = [own, machine.input].map((input) => depthOf(judged, input));
  return { isMachine: (depths[1] ?? 0) > (depths[0] ?? 0), path };
}

/** How many keys of the path are there. */
function depthOf(path: Path, input: JsonObject): number {
  let at: unknown = input;
  for (const [depth, part] of path.entries()) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return depth;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return path.length;
}

/** The lock that a path is under; null: it may be changed. */
export function lockOf(path: Path, machine: MachineConfig | null): Lock | null {
  const under = ({ path: locked }: Lock): boolean => locked.every((part, i) => path[i] === part);
  return machine?.locks.find(under) ?? null;
}

/** One's own file without what is locked, and what of it was other than what counts. */
function unlocked(given: JsonObject, machine: MachineConfig): { own: JsonObject; ignored: Ignored[] } {
  const ignored: Ignored[] = [];
  let own = given;
  for (const lock of machine.locks) {
    const mine = valueAt(given, lock.path);
    if (mine === undefined) continue;
    const theirs = valueAt(machine.input, lock.path);
    own = without(own, lock.path);
    if (!isDeepStrictEqual(mine, theirs)) ignored.push({ path: lock.path, lock });
  }
  return withLevels(own, machine, ignored);
}

/** A locked `redaction.level` bounds every channel of one's own: none says more, and no words of one's own put in what it leaves out. */
function withLevels(
  given: JsonObject,
  machine: MachineConfig,
  ignored: Ignored[],
): { own: JsonObject; ignored: Ignored[] } {
  const lock = lockOf(['redaction', 'level'], machine);
  const rank = (level: unknown): number => (LEVELS as readonly unknown[]).indexOf(level);
  const most = valueAt(machine.input, ['redaction', 'level']);
  if (lock === null || most === undefined) return { own: given, ignored };
  const names = Object.keys(isTable(given['channels']) ? given['channels'] : {});
  const levels = names
    .map((name) => ['channels', name, 'level'])
    .filter((path) => {
      const level = rank(valueAt(given, path));
      return level >= 0 && level < rank(most);
    });
  const words = [['messages'], ...names.map((name) => ['channels', name, 'messages'])]
    .flatMap((path) => ['title', 'body'].map((part) => [...path, part]))
    .filter((path) => rank(most) > 0 && valueAt(given, path) !== undefined);
  let own = given;
  for (const path of [...levels, ...words]) {
    own = without(own, path);
    ignored.push({ path, lock });
  }
  return { own, ignored };
}

/** What is there; undefined: nothing. */
export function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) => (isTable(at) && Object.hasOwn(at, part) ? at[part as string] : undefined),
    input,
  );
}

/** Without what is at the path. */
export function without(input: JsonObject, [part, ...below]: readonly string[]): JsonObject {
  if (part === undefined) return input;
  const { [part]: inner, ...rest } = input;
  // In the order in which it was.
  return below.length > 0 && isTable(inner) ? { ...input, [part]: without(inner, below) } : rest;
}

/** Says why the value at a path does not count, as the end of a sentence. The value that does may be a secret. */
export function lockedText(
  path: Path,
  { path: locked, key, line }: Lock,
  { file }: Pick<MachineConfig, 'file'>,
): string {
  const what = isDeepStrictEqual(path, locked) ? 'it' : key;
  return `${what} is locked for this machine on line ${line} of ${file}`;
}

/** What is set in one's own file and locked, with its path there. */
export function ignoredIssues({ ignored }: MergedConfig, machine: MachineConfig | null): readonly Issue[] {
  if (machine === null) return [];
  return ignored.map(({ path, lock }) => ({
    path,
    point: 'key',
    message: `has no effect: ${lockedText(path, lock, machine)}`,
  }));
}

// Which file each setting in force is from, and which are locked.
import { isObject } from '../../lib/json/json.ts';
import { keyOf } from '../diagnostic.ts';
import { locate } from '../toml/key-positions.ts';
import { parseToml, withoutMark } from '../toml/parse-toml.ts';
import type { MachineConfig } from './machine-config.ts';
import { lockOf, mergeConfig } from './merge-config.ts';

/** Where a setting is from; what is in no file and not locked has none. */
export interface Origin {
  readonly from: 'own' | 'machine' | 'default';
  /** Of the file, from 1; null: it is a default. */
  readonly line: number | null;
  readonly locked: boolean;
}

type Path = readonly PropertyKey[];

/** By key, such as `redaction.level`, `channels.team` and `routes[0]`: a channel and a route are each of one file. `own`: a valid text. */
export async function settingOrigins(
  own: string | null,
  machine: MachineConfig | null,
): Promise<ReadonlyMap<string, Origin>> {
  const text = withoutMark(own ?? '');
  const parsed = parseToml(text);
  const { input, placeOf } = mergeConfig('input' in parsed ? parsed.input : {}, machine);
  const paths = settingPaths(input, []);
  const lines = async (file: string, isMachine: boolean): Promise<ReadonlyMap<string, number>> => {
    const places = paths.map(placeOf).filter((place) => place.isMachine === isMachine);
    const issues = places.map(({ path }) => ({ path, point: 'key' as const, message: '' }));
    return new Map((await locate(file, issues)).map(({ key, line }) => [key, line]));
  };
  const [mine, theirs] = [await lines(text, false), await lines(machine?.text ?? '', true)];
  const origins = new Map<string, Origin>();
  for (const path of paths) {
    const place = placeOf(path);
    const line = (place.isMachine ? theirs : mine).get(keyOf(place.path)) ?? null;
    origins.set(keyOf(path), {
      from: place.isMachine ? 'machine' : 'own',
      line,
      locked: lockOf(path, machine) !== null,
    });
  }
  for (const { path } of machine?.locks ?? []) {
    const isSet = paths.some((set) => path.every((part, i) => set[i] === part));
    if (!isSet) origins.set(keyOf(path), { from: 'default', line: null, locked: true });
  }
  return origins;
}

function settingPaths(value: unknown, path: Path): readonly Path[] {
  if (path.length === 1 && path[0] === 'routes' && Array.isArray(value)) return value.map((_, i) => [...path, i]);
  const isWhole = path.length === 2 && path[0] === 'channels';
  return isWhole || !isObject(value) || value instanceof Date
    ? [path]
    : Object.entries(value).flatMap(([key, inner]) => settingPaths(inner, [...path, key]));
}

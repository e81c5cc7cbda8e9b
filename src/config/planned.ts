// Settings that docs/interface.md names and this version does not have yet: refused by name, never ignored.
import { asObject, type JsonObject } from '../lib/json.ts';
import type { Issue } from './diagnostic.ts';

/** Setting (last key of its path, with its parent) and what it would do. */
const PLANNED: readonly { readonly parent: string | null; readonly key: string; readonly what: string }[] = [
  { parent: null, key: 'presence', what: 'presence' },
  { parent: 'routes', key: 'group', what: 'grouping' },
];

/** The line that refuses a setting planned for later; null when it is not one. */
export function plannedSetting(path: readonly PropertyKey[]): string | null {
  const key = path.at(-1);
  const parent = path.length > 1 ? path[0] : null;
  const found = PLANNED.find((entry) => entry.key === key && entry.parent === parent);
  return found ? `${found.what}: not available in this version of belfry; remove this setting` : null;
}

/** Settings that the schema has already and that do nothing yet. `input`: the file as parsed. */
export function plannedSettings(input: JsonObject): Issue[] {
  const { routes } = input;
  const ofRoutes = (Array.isArray(routes) ? routes : []).flatMap((route, i) =>
    Object.keys(asObject(route)).map((key) => ['routes', i, key]),
  );
  return [...Object.keys(input).map((key) => [key]), ...ofRoutes].flatMap((path): Issue[] => {
    const message = plannedSetting(path);
    return message === null ? [] : [{ path, point: 'key', message }];
  });
}

// Settings that docs/interface.md names and this version does not have yet: refused by name, never ignored.
import type { JsonObject } from '../lib/json.ts';
import type { Issue } from './diagnostic.ts';

/** Section, and what it would do. */
const PLANNED: readonly { readonly key: string; readonly what: string }[] = [{ key: 'presence', what: 'presence' }];

/** The line that refuses a setting planned for later; null when it is not one. */
export function plannedSetting(path: readonly PropertyKey[]): string | null {
  const found = path.length === 1 ? PLANNED.find(({ key }) => key === path[0]) : undefined;
  return found ? `${found.what}: not available in this version of belfry; remove this setting` : null;
}

/** Settings that the schema has already and that do nothing yet. `input`: the file as parsed. */
export function plannedSettings(input: JsonObject): Issue[] {
  return Object.keys(input).flatMap((key): Issue[] => {
    const message = plannedSetting([key]);
    return message === null ? [] : [{ path: [key], point: 'key', message }];
  });
}

// Settings that docs/interface.md names and this version does not have yet: refused by name, never ignored.

/** Setting (last key of its path, with its parent) and what it would do. */
const PLANNED: readonly { readonly parent: string | null; readonly key: string; readonly what: string }[] = [
  { parent: null, key: 'answer', what: 'answering from elsewhere' },
];

/** The line that refuses a setting planned for later; null when it is simply unknown. */
export function plannedSetting(path: readonly PropertyKey[]): string | null {
  const key = path.at(-1);
  const parent = path.length > 1 ? path[0] : null;
  const found = PLANNED.find((entry) => entry.key === key && entry.parent === parent);
  return found ? `${found.what}: not available in this version of belfry; remove this setting` : null;
}

// What each revision of the enterprise settings changed, by the one before it; secrets are never shown.
import { json } from '../contract/fields.ts';
import { difference, type Json, type SettingsChange, withoutSecrets } from './settings-difference.ts';

/** A revision as the service sends it. */
type Row = Readonly<Record<string, unknown>>;

/** A revision and what it changed. */
export interface ComparedRevision<R extends Row> {
  readonly row: R;
  readonly changes: readonly SettingsChange[];
  /** Why there are none; null: there are. */
  readonly note: string | null;
}

/** How a note ends where there is nothing to compare a revision with. */
export const NOT_HERE = 'the revision before is not in this list';

/** In the order of `rows`. `whole`: no revision is missing before the oldest of them. */
export function compareRevisions<R extends Row>(rows: readonly R[], whole: boolean): ComparedRevision<R>[] {
  const ordered = [...rows].sort((a, b) => Number(a['revision']) - Number(b['revision']));
  const before = new Map(ordered.map((row, i) => [row, ordered[i - 1]]));
  return rows.map((row) => ({ row, ...compared(row, before.get(row), whole) }));
}

function compared(row: Row, before: Row | undefined, whole: boolean): Omit<ComparedRevision<Row>, 'row'> {
  const after = settingsOf(row);
  if (!before || Number(before['revision']) !== Number(row['revision']) - 1) {
    const count = `${Object.keys(after).length} settings`;
    const first = !before && (whole || row['revision'] === 1);
    return { changes: [], note: first ? `first revision: ${count}` : `${count}; ${NOT_HERE}` };
  }
  const changes = difference(settingsOf(before), after);
  return { changes, note: changes.length === 0 ? 'nothing differs' : null };
}

/** The answer has been read as JSON. */
const settingsOf = (row: Row): { readonly [key: string]: Json } =>
  withoutSecrets(json.parse(row['settings']) as Json) as { readonly [key: string]: Json };

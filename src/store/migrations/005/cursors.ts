// Where the watches stand, with their fields under new names: under an unknown one a watch would begin with a new baseline.
import type { Database, Row } from '../../sqlite/engine/database.ts';
import { objectOf, renamed, rowsOf } from './rows.ts';

interface CursorRow extends Row {
  readonly key: string;
  readonly value: string;
}

const FIELDS = { told: 'reported', stuckTold: 'stuckReported' };

/** `told` of the usage report and of a watch's health, `stuckTold` of each session watched. */
export function rewriteCursors(db: Database): void {
  for (const { number, key, value } of [
    ...rowsOf<CursorRow & { readonly number: number }>(db, 'cursors', 'rowid', 'key, value'),
  ]) {
    if (!key.startsWith('watch')) continue;
    const cursor = renamed(objectOf(value), FIELDS);
    const entries = Object.entries(cursor).map(([name, of]) => [
      name,
      typeof of === 'object' && of !== null && !Array.isArray(of) ? renamed(objectOf(of), FIELDS) : of,
    ]);
    db.run('UPDATE cursors SET value = ? WHERE rowid = ?', JSON.stringify(Object.fromEntries(entries)), number);
  }
}

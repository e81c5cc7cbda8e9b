// The columns that a schema has: a word of it that damage misspells is found by them, though every page is whole.
import { MIGRATIONS } from '../../migrations/index.ts';
import { type Database, openConnection } from '../engine/database.ts';
import { migrate } from '../engine/migrate.ts';

const COLUMNS = `SELECT m.name || '.' || c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`;

const columnsOf = (db: Database): readonly string[] => db.all<{ name: string }>(COLUMNS).map(({ name }) => name);

/** `TABLE.COLUMN` that a database of this schema has and this one lacks; null: none. */
export function missingColumn(db: Database, version: number): string | null {
  const intact = openConnection(':memory:');
  try {
    migrate(intact, '', () => undefined, MIGRATIONS.slice(0, version));
    const found = new Set(columnsOf(db));
    return columnsOf(intact).find((name) => !found.has(name)) ?? null;
  } finally {
    intact.close();
  }
}

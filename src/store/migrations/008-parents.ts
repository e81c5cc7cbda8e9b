// Schema 8. The sessions that another one began are found by it: every finish asks for them.
import type { Database, Row } from '../sqlite/engine/database.ts';
import { encode } from '../encoding.ts';
import { objectOf, rowsOf, textOf } from './005/rows.ts';

interface SessionRow extends Row {
  readonly number: number;
  readonly record: string;
}

export function parents(db: Database): void {
  db.exec(`
ALTER TABLE sessions ADD COLUMN parent TEXT;
CREATE INDEX sessions_parent ON sessions (parent, last_event) WHERE parent IS NOT NULL;
`);
  for (const { number, record } of rowsOf<SessionRow>(db, 'sessions', 'rowid', 'record')) {
    const parent = textOf(objectOf(record)['parentSessionId']);
    if (parent !== '') db.run('UPDATE sessions SET parent = ? WHERE rowid = ?', encode(parent), number);
  }
}

// Reads many small rows as one text: each column of a row of its own costs more than all the rest of a query.
import type { Database, Value } from './database.ts';

/** The rows of a query for `json_group_array(json_array(...)) AS rows`; `T`: the columns in their order. Throws where one cannot be read. */
export function rowsOf<T>(db: Database, sql: string, ...values: readonly Value[]): readonly T[] {
  const found = db.get<{ readonly rows: string }>(sql, ...values);
  return found === undefined ? [] : (JSON.parse(found.rows) as readonly T[]); // what the query says
}

// Finds what a person means by the beginning of an id, in the indexes of the ids.
import type { Identified, StoreReader } from '../contract.ts';
import type { Database } from './engine/database.ts';
import { decode } from '../encoding.ts';

/** Sessions' ids are the clients' own; two clients may have the same one. */
const PLACES: readonly (readonly [what: Identified['what'], table: string, column: string])[] = [
  ['event', 'events', 'id'],
  ['notification', 'notifications', 'id'],
  ['question', 'questions', 'id'],
  ['delivery', 'deliveries', 'id'],
  ['session', 'sessions', 'session'],
];

/** The read of ids by their beginning. */
export function beginnings(db: Database): Pick<StoreReader, 'beginning'> {
  return {
    beginning: async (prefix, limit) =>
      PLACES.flatMap(([what, table, column]) =>
        db
          .all<{ id: string }>(
            `SELECT DISTINCT ${column} AS id FROM ${table}
             WHERE ${column} >= ?1 AND ${column} < ?1 || char(1114111) ORDER BY ${column} LIMIT ?2`,
            prefix,
            limit,
          )
          .map((row) => ({ what, id: decode(row.id) })),
      ),
  };
}

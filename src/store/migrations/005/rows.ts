// Rows of an earlier schema, read a batch at a time and changed as plain objects.
import type { Database, Row } from '../../sqlite/engine/database.ts';
import { parseJson } from '../../encoding.ts';

export type Json = Readonly<Record<string, unknown>>;

const BATCH = 500;

/** Every row of a table in the order of its number; `key`: the column of that number. The row may be changed meanwhile, not its number. */
export function* rowsOf<T extends Row>(db: Database, table: string, key: string, columns: string): Generator<T> {
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const sql = `SELECT ${key} AS number, ${columns} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${BATCH}`;
    const rows = db.all<T & { readonly number: number }>(sql, last);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.number;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in a JSON column; empty where it holds none. */
export function objectOf(text: unknown): Json {
  const value = typeof text === 'string' ? parseJson<unknown>(text) : text;
  return isObject(value) ? value : {};
}

/** Members under their new names. */
export function renamed(of: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [names[name] ?? name, value]));
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

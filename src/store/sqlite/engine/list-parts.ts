// What the lists of events and of deliveries are put together from.
import type { Value } from './database.ts';

/** A condition, or a whole query, with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** None where nothing is asked for. */
export const when = (given: unknown, sql: string, ...values: readonly Value[]): readonly Condition[] =>
  given === undefined ? [] : [{ sql, values }];

/** Whether a column is one of a JSON list of texts or numbers. */
export const IN_LIST = 'IN (SELECT value FROM json_each(?))';

/** Rows looked through at once: other work goes on in between. */
export const SLICE = 1_000;

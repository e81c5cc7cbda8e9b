// What every read is held to: the organization, the machine where one is meant, and what whoever reads may see.
import { encode } from '../../encoding.ts';
import type { Scope } from '../../records.ts';
import type { Connection } from '../connection.ts';

/** A condition with a `?` for each of its values; what is not asked for is left out. */
type Condition = readonly [sql: string, ...values: readonly unknown[]] | false | undefined;

/** Whose rows are read. */
export interface ReadScope {
  readonly scope: Scope;
  /** Only of this one; null: of all that may be seen. An id that two machines have is that of one of them then. */
  readonly machine: string | null;
}

/** Conditions with their values, numbered as the driver wants them. */
export interface Where {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** What a read needs. */
export interface Reading extends ReadScope {
  readonly db: Connection;
  readonly org: number;
  /** All conditions on a table under this alias. */
  readonly own: (alias: string, table: keyof typeof WHOSE, conditions?: readonly Condition[]) => Where;
}

const ofColumns = (alias: string): string => `(${alias}.person = ANY(?::text[]) OR ${alias}.team = ANY(?::text[]))`;

/** Whether a row is of these persons or teams. */
const WHOSE = {
  event: ofColumns,
  session: ofColumns,
  notification: ofColumns,
  delivery: ofColumns,
  question: (alias: string): string => `EXISTS (SELECT 1 FROM notification w
    WHERE w.org = ${alias}.org AND w.machine = ${alias}.machine AND w.id = ${alias}.notification AND ${ofColumns('w')})`,
} as const;

/** Each `?` in its order. */
function numbered(parts: readonly (readonly [sql: string, ...values: readonly unknown[]])[]): Where {
  let n = 0;
  const sql = parts.map(([text]) => text.replaceAll('?', () => `$${++n}`)).join(' AND ');
  return { sql, values: parts.flatMap(([, ...values]) => values) };
}

/** For whoever reads. */
export function readingOf(db: Connection, org: number, of: ReadScope): Reading {
  const { scope, machine } = of;
  return {
    ...of,
    db,
    org,
    own: (alias, table, conditions = []) =>
      numbered([
        [`${alias}.org = ?`, org],
        ...(machine === null ? [] : [[`${alias}.machine = ?`, encode(machine)] as const]),
        ...(scope === 'all'
          ? []
          : [[WHOSE[table](alias), scope.ofPersons.map(encode), scope.ofTeams.map(encode)] as const]),
        ...conditions.flatMap((one) => (one ? [one] : [])),
      ]),
  };
}

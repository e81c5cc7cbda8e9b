// Connections to PostgreSQL: whatever the server does, no error reaches the process by another way than whoever asked.
import pg from 'pg';

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** Where the database is, and how patient its users are. */
export interface ConnectOptions {
  /** `postgres://...`, as DATABASE_URL has it. */
  readonly url: string;
  /** Connections at most. */
  readonly max?: number;
  /** How long one statement may take, and how long a transaction may wait for its next one, ms. */
  readonly limits?: { readonly statementMs: number; readonly idleMs: number };
  /** One line about a connection that was lost, or a transaction that is tried again, for the log. */
  readonly log?: (message: string) => void;
}

/** A statement of a transaction, which finds what it is given under the names of `settings`. */
export type Statement = string;

/** PostgreSQL behind the few calls that the store needs. Every statement is unnamed, so none keeps the plan of a table that was empty. */
export interface Connection {
  /** One statement, one round trip. */
  read<T = Row>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>;
  /**
   * A transaction of several statements in three round trips: it begins with its time limits, gets its settings (`setting()` reads them
   * again), and runs all statements and the commit as one text. What each statement found. A deadlock is tried again.
   */
  write(
    settings: Readonly<Record<string, unknown>>,
    statements: readonly Statement[],
  ): Promise<readonly (readonly Row[])[]>;
  /** Statements of the schema in one transaction, after a lock that all who change the schema take. */
  alone<T>(lock: number, work: (run: (sql: string) => Promise<readonly Row[]>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const LIMITS = { statementMs: 15_000, idleMs: 15_000 } as const;
/** How long a connection may take, ms. */
const CONNECT_MS = 10_000;
/** How often a transaction is tried that the server ended so that another could go on. */
const MOST_TRIES = 5;
/** deadlock_detected, serialization_failure. */
const AGAIN: ReadonlySet<unknown> = new Set(['40P01', '40001']);

/** Numbers of ms, rows and versions stay far below 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** The value that a transaction was given under this name; as text. */
export const setting = (name: string): string => `current_setting('belfry.${name}')`;

/** The rows that a transaction was given under this name, with these columns. */
export const given = (name: string, columns: string): string =>
  `json_to_recordset(${setting(name)}::json) AS ${name}(${columns})`;

/**
 * Whether a column is one of a list of texts, by its parameter. As a subquery: a list of which the planner sees how long it is seems dear to it
 * beside all rows of an organization, which without statistics it takes for a hundredth of the table.
 */
export const oneOf = (parameter: string): string => `= ANY(ARRAY(SELECT unnest(${parameter}::text[])))`;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Opens a pool; nothing is asked of the server before something is needed of it. */
export function connect({ url, max = 10, limits = LIMITS, log = () => undefined }: ConnectOptions): Connection {
  const { statementMs, idleMs } = limits;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: CONNECT_MS,
    // A server that is gone without a word: whoever waits for it hears so, and the connection is not used again.
    query_timeout: 2 * statementMs,
    keepAlive: true,
  });
  const lost = (error: Error): void => log(`a connection to the database was lost: ${error.message}`);
  // Without a listener each of these would end the process: of a connection that is idle, and of one that is in use.
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
    // Compiling a statement that reads a few rows by indexes takes a hundred times as long as running it. Sent before what it is opened for.
    client.query('SET jit = off').catch(lost);
  });
  const begin = `BEGIN; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}; SET LOCAL jit = off`;

  /** With one connection, which is not used again after a failure: nobody knows then what the server thinks of it. */
  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  const once: Connection['write'] = (settings, statements) =>
    withClient(async (client) => {
      await client.query(begin);
      const names = Object.keys(settings);
      if (names.length > 0) {
        const set = names.map((name, n) => `set_config('belfry.${name}', $${n + 1}, true)`);
        await client.query(`SELECT ${set.join(', ')}`, Object.values(settings).map(asText));
      }
      const found: unknown = await client.query([...statements, 'COMMIT'].join(';\n'));
      return (found as readonly pg.QueryResult<Row>[]).slice(0, -1).map(({ rows }) => rows); // several statements have several results
    });

  return {
    read: async <T>(sql: string, values: readonly unknown[] = []) =>
      withClient(async (client) => (await client.query(sql, [...values])).rows as readonly T[]), // what the statement says
    write: async (settings, statements) => {
      for (let tried = 1; ; tried++)
        try {
          return await once(settings, statements);
        } catch (error) {
          const { code } = error as { readonly code?: unknown };
          if (tried >= MOST_TRIES || !AGAIN.has(code)) throw error;
          log(`a transaction is tried again, as another one was let through (${code})`);
        }
    },
    alone: (lock, work) =>
      withClient(async (client) => {
        await client.query(`BEGIN; SET LOCAL lock_timeout = 5000; SELECT pg_advisory_xact_lock(${lock})`);
        const result = await work(async (sql) => {
          const found: unknown = await client.query(sql);
          return [found].flat().flatMap((one) => (one as pg.QueryResult<Row>).rows);
        });
        await client.query('COMMIT');
        return result;
      }),
    close: () => pool.end(),
  };
}

// One connection: pragmas, prepared statements kept, transactions.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createRequire } from 'node:module';

// Required, not imported: its ES module imports a CommonJS one, which Node 20 under load now and then gives out before it has run.
const { DatabaseSync } = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite');

/** What a column holds. */
export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

/** SQLite behind the few calls the store needs. */
export interface Database {
  run(sql: string, ...values: Value[]): number;
  get<T = Row>(sql: string, ...values: Value[]): T | undefined;
  all<T = Row>(sql: string, ...values: Value[]): T[];
  /** One row at a time, for reads that may fail in between. */
  each<T = Row>(sql: string, ...values: Value[]): Iterable<T>;
  exec(sql: string): void;
  /** All or nothing. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How long a reader and the daemon wait for each other's lock, ms. */
export const BUSY = 5_000;

export interface ConnectOptions {
  readonly readOnly?: boolean;
  readonly salvage?: boolean;
  /** Sees every error that a statement ends with, before it is thrown on. */
  readonly failed?: (error: unknown) => void;
  /** Sees the text of every statement, the first time that it is used. */
  readonly prepared?: (sql: string) => void;
}

/** Opens the file; `salvage`: reads what is there and sets no pragma. `synchronous = NORMAL`: a commit survives the death of the process; power loss may cost the last ones. */
export function openConnection(file: string, options: ConnectOptions = {}): Database {
  const db = new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: BUSY });
  try {
    if (!options.readOnly && !options.salvage) {
      // A new file takes auto_vacuum only before its first table; it lets pruning give pages back without a rewrite.
      db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      // Half as many checkpoints as the standard's 1,000 pages would make.
      db.exec(
        'PRAGMA wal_autocheckpoint = 2000; PRAGMA journal_size_limit = 16777216; PRAGMA foreign_keys = OFF; PRAGMA secure_delete = OFF;',
      );
    }
    if (!options.readOnly && roomBeside(file) < TIGHT) db.exec(SHORT_LOG);
    db.exec('PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY;');
  } catch (error) {
    db.close();
    throw error;
  }
  return wrap(db, options);
}

/** Below this much free space the log is kept short, bytes. */
const TIGHT = 32 * 1024 * 1024;
const SHORT_LOG = 'PRAGMA wal_autocheckpoint = 64';

/** SQLITE_FULL, and what a file's own limit makes of a write. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && /database or disk is full|disk I\/O error/.test(error.message);

function roomBeside(file: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY; // not reported on this system: assumed to be enough
  }
}

/** On a full disk the log may be what fills it: moved into the file, its space can be used again. */
function emptyLog(db: InstanceType<typeof DatabaseSync>): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Not enough space for that either; the next write tries again.
  }
}

/**
 * The statement with its limits as expressions. SQLite plans a statement again each time that a parameter of LIMIT or OFFSET was bound, since it
 * plans for the value (sqlite3ExprIsInteger, 3.48 and later); with many parts that takes several times as long as the reading.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(/\b(LIMIT|OFFSET) (\?\d*)/g, '$1 $2 + 0');
}

function wrap(db: InstanceType<typeof DatabaseSync>, { failed, prepared }: ConnectOptions): Database {
  let full = false;
  const kept = new Map<string, ReturnType<typeof db.prepare>>();
  const statement = (sql: string): ReturnType<typeof db.prepare> => {
    let found = kept.get(sql);
    if (!found) {
      prepared?.(sql);
      found = db.prepare(plannedOnce(sql));
      kept.set(sql, found);
    }
    return found;
  };
  const seen = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      failed?.(error);
      throw error;
    }
  };
  return {
    run: (sql, ...values) => seen(() => Number(statement(sql).run(...values).changes)),
    get: (sql, ...values) => seen(() => statement(sql).get(...values)),
    all: (sql, ...values) => seen(() => statement(sql).all(...values)),
    each: (sql, ...values) => db.prepare(plannedOnce(sql)).iterate(...values),
    exec: (sql) => db.exec(sql),
    transaction: (work) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        if (full) {
          full = false;
          emptyLog(db);
        }
        return result;
      } catch (error) {
        // A full disk or damage may have ended it already.
        if (db.isTransaction) db.exec('ROLLBACK');
        if (isFull(error)) {
          full = true;
          db.exec(SHORT_LOG);
          emptyLog(db);
        }
        throw error;
      }
    },
    close: () => {
      kept.clear();
      db.close();
    },
  };
}

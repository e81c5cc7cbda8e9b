// Carries over what can still be read of a damaged database, row by row.
import { closeSync, copyFileSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { openConnection, type Database, type Row, type Value } from '../engine/database.ts';

/** In the order of their worth. */
const TABLES: readonly string[] = [
  'journal',
  'raws',
  'deliveries',
  'notifications',
  'notification_events',
  'questions',
  'timers',
  'events',
  'attempts',
  'sessions',
  'silences',
  'machine',
  'health',
  'cursors',
];

/** The first bytes of every database made here: magic, 4096-byte pages, write-ahead log. */
const HEAD = Buffer.from('53514c69746520666f726d61742033001000020200402020', 'hex');

/** What was carried over, and the tables of which some rows could not be read. */
export interface Salvaged {
  readonly rows: number;
  readonly broken: readonly string[];
}

/** What can be read of the file set aside (of a copy of it: it stays as it is). */
export interface Remains {
  /** The schema that it says it is of; null: it does not say. */
  readonly version: number | null;
  /** Carries it over into an empty database of that schema. */
  carry(into: Database): Salvaged;
  close(): void;
}

/** Null: nothing can be read at all. */
export function openRemains(aside: string): Remains | null {
  const copy = `${aside}.reading`;
  const remove = (): void => {
    for (const side of ['', '-wal', '-shm']) rmSync(copy + side, { force: true });
  };
  for (const side of ['', '-wal']) if (existsSync(aside + side)) copyFileSync(aside + side, copy + side);
  const from = openSomehow(copy);
  if (!from) {
    remove();
    return null;
  }
  return {
    version: notedVersion(from),
    carry: (into) => into.transaction(() => carryAll(from, into)),
    close: () => {
      from.close();
      remove();
    },
  };
}

function notedVersion(from: Database): number | null {
  try {
    const noted = Number(from.get<{ value: string }>(`SELECT value FROM meta WHERE key = 'schema'`)?.value);
    return Number.isInteger(noted) && noted > 0 ? noted : null;
  } catch {
    return null;
  }
}

function openSomehow(copy: string): Database | null {
  for (const repair of [false, true]) {
    if (repair) repairHeader(copy);
    try {
      const db = openConnection(copy, { salvage: true });
      db.get('SELECT count(*) FROM sqlite_schema');
      return db;
    } catch {
      // The next try begins with a repaired header; after that there is nothing to be read.
    }
  }
  return null;
}

function repairHeader(copy: string): void {
  const fd = openSync(copy, 'r+');
  writeSync(fd, HEAD, 0, HEAD.length, 0);
  closeSync(fd);
}

interface Column {
  readonly name: string;
  readonly pk: number;
}

function carryAll(from: Database, into: Database): Salvaged {
  let rows = 0;
  const broken: string[] = [];
  for (const table of TABLES) {
    const columns = into.all<Column>(`SELECT name, pk FROM pragma_table_info('${table}')`);
    if (columns.length === 0) continue; // of a later schema
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const names = (list: readonly Column[]): string[] => list.map(({ name }) => name);
    const carried = carry(from, into, table, names(key), names(columns));
    rows += carried.rows;
    if (carried.broken) broken.push(table);
  }
  into.exec('DELETE FROM raws WHERE row NOT IN (SELECT row FROM journal)');
  return { rows, broken };
}

/** From the beginning until it breaks, then from the end until it breaks. */
function carry(from: Database, into: Database, table: string, key: readonly string[], columns: readonly string[]) {
  /** A column that the file's schema does not have yet gets its default. */
  const insert = (row: Row): number => {
    const there = columns.filter((column) => column in row);
    const marks = there.map(() => '?').join(', ');
    const sql = `INSERT OR IGNORE INTO ${table} (${there.join(', ')}) VALUES (${marks})`;
    return into.run(sql, ...there.map((column): Value => row[column] ?? null));
  };
  const known = `SELECT 1 FROM ${table} WHERE ${key.map((k) => `${k} = ?`).join(' AND ')}`;
  let rows = 0;
  let broken = false;
  for (const way of ['ASC', 'DESC']) {
    try {
      // Only tables are read, not indexes: an index may be what is broken.
      const order = key.map((k) => `${k} ${way}`).join(', ');
      for (const row of from.each<Row>(`SELECT * FROM ${table} ${noIndex(key)} ORDER BY ${order}`)) {
        if (way === 'DESC' && into.get(known, ...key.map((k) => row[k] ?? null))) break;
        if (isBroken(row, table)) broken = true;
        else if (insert(row) > 0) rows++;
        else broken = true;
      }
      if (way === 'ASC') break;
    } catch {
      broken = true; // what follows is reached from the other end, if at all
    }
  }
  return { rows, broken };
}

/** No text was ever written with a NUL in it, and bytes only as raw input. */
const isBroken = (row: Row, table: string): boolean =>
  Object.values(row).some((v) =>
    typeof v === 'string' ? v.includes('\0') : v instanceof Uint8Array && table !== 'raws',
  );

const noIndex = (key: readonly string[]): string => (key[0] === 'row' || key[0] === 'seq' ? 'NOT INDEXED' : '');

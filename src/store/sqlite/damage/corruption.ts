// Recognises a damaged database and sets it aside, with its log, under a name that says when.
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { MIGRATIONS } from '../../migrations/index.ts';
import { missingColumn } from './columns.ts';
import type { Database } from '../engine/database.ts';
import { versionOf } from '../engine/migrate.ts';

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<unknown> = new Set([11, 26]);
const WORDS = /^(database disk image is malformed|file is not a database)|malformed database schema/;
/** What SQLite says of a statement that does not fit the schema. */
const STATEMENT_FAULT =
  /^(unknown function|no such (table|column|function|index|collation)|near "|unrecognized token|wrong number of arguments|misuse of )/;
/** Above this size only the quick form of the check is run, bytes: the full one takes a second per 200 MB. */
const THOROUGH = 512 * 1024 * 1024;
/** Columns, with the first and the last schema that has them. */
const JSON_TEXTS: readonly (readonly [table: string, column: string, first?: number, last?: number])[] = [
  ['journal', 'header'],
  ['events', 'event'],
  ['events', 'verdicts'],
  ['deliveries', 'notification', 1, 4],
  ['deliveries', 'content', 5],
  ['deliveries', 'last'],
  ['attempts', 'attempt'],
  ['timers', 'timer'],
  ['sessions', 'record'],
  ['notifications', 'notification', 5],
  ['questions', 'question', 5],
];
const SIDE_FILES = ['', '-wal', '-shm'] as const;

/** What is found wrong with a database that can be opened. */
export class Corruption extends Error {
  override readonly name = 'Damage';
}

/** True for what SQLite throws on meeting damage, and for {@link Corruption}. */
export function isCorruption(error: unknown): boolean {
  if (error instanceof Corruption) return true;
  if (!(error instanceof Error)) return false;
  // A failing step carries SQLite's message only.
  if (!('errcode' in error)) return WORDS.test(error.message);
  return typeof error.errcode === 'number' && DAMAGE.has(error.errcode & 0xff);
}

/** Throws {@link Corruption} when the database is not what it was written as. An empty file is a new one. */
export function assertIntact(db: Database): void {
  try {
    inspect(db);
  } catch (error) {
    // Our own statements are sound: it is the schema's text, which they are compiled against, that has changed.
    if (error instanceof Error && STATEMENT_FAULT.test(error.message))
      throw new Corruption(`its schema is broken: ${error.message}`);
    throw error;
  }
}

function inspect(db: Database): void {
  const version = versionOf(db);
  const tables = Number(Object.values(db.get(`SELECT count(*) FROM sqlite_schema WHERE name = 'meta'`) ?? {})[0]);
  if (version === 0 && tables === 0) return;
  const noted = db.get<{ value: string }>(`SELECT value FROM meta WHERE key = 'schema'`)?.value;
  if (noted !== String(version))
    throw new Corruption(`its header says schema ${version}, its table ${noted ?? 'nothing'}`);
  if (version > MIGRATIONS.length) return; // refused elsewhere, untouched
  const pages = Number(Object.values(db.get('PRAGMA page_count') ?? {})[0]);
  const check = pages * 4096 > THOROUGH ? 'quick_check' : 'integrity_check';
  const found = db.all(`PRAGMA ${check}(3)`).map((row) => String(Object.values(row)[0]));
  if (found.length !== 1 || found[0] !== 'ok') throw new Corruption(found.join('; ').slice(0, 300));
  // Compiling an insert reads the checks of a table, which the check of the pages leaves alone while it is empty.
  for (const { name } of db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`))
    if (/^[a-z_]+$/.test(name) && !name.startsWith('sqlite_')) db.all(`EXPLAIN INSERT INTO ${name} DEFAULT VALUES`);
  const missing = missingColumn(db, version);
  if (missing !== null) throw new Corruption(`its schema is broken: there is no ${missing}`);
  // SQLite takes a NUL for the end of a JSON text and finds what comes before it valid, and so it does bytes in place of
  // text; neither was ever written here.
  for (const [table, column, first = 1, last = version] of JSON_TEXTS)
    if (
      first <= version &&
      version <= last &&
      db.get(`SELECT 1 FROM ${table} WHERE instr(${column}, char(0)) > 0 OR typeof(${column}) = 'blob' LIMIT 1`)
    )
      throw new Corruption(`a text of ${table} is broken`);
}

const stamp = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');

function freeName(file: string, now: number): string {
  const base = `${file}.damaged-${stamp(now)}`;
  for (let n = 0; ; n++) {
    const name = n === 0 ? base : `${base}-${n}`;
    if (!SIDE_FILES.some((side) => existsSync(name + side))) return name;
  }
}

/** Moves the database with its side files; returns the new name. */
export function setAside(file: string, now: number): string {
  const name = freeName(file, now);
  for (const side of SIDE_FILES) if (existsSync(file + side)) renameSync(file + side, name + side);
  return name;
}

/** Copies the database with its log, before SQLite drops what it cannot read of it. */
export function keepCopy(file: string, now: number): string {
  const name = freeName(file, now);
  for (const side of ['', '-wal']) if (existsSync(file + side)) copyFileSync(file + side, name + side);
  return name;
}

// Opens the file for writing: notices a lost or damaged log, sets a damaged database aside, carries over what it can.
import { existsSync, rmSync } from 'node:fs';
import { damagedFrames } from './engine/wal-damage.ts';
import { isCorruption, keepCopy, assertIntact, setAside } from './damage/corruption.ts';
import { type ConnectOptions, openConnection, type Database } from './engine/database.ts';
import { prepareFile } from './engine/file.ts';
import { migrate, versionOf } from './engine/migrate.ts';
import { errorMessage } from '../../lib/text/error-message.ts';
import { repairLines } from './outbox/partitions.ts';
import { openRemains } from './damage/salvage.ts';
import { MIGRATIONS } from '../migrations/index.ts';

type Log = (message: string) => void;
type Seen = Pick<ConnectOptions, 'failed' | 'prepared'>;

/** Ready to write, of the current schema. */
export function openDatabase(file: string, log: Log, now: () => number, seen: Seen): Database {
  prepareFile(file);
  const hadLog = existsSync(`${file}-wal`);
  const bad = damagedFrames(`${file}-wal`);
  if (bad > 0)
    log(
      `the last writes to the journal (${bad} pages) cannot be read: some of the latest events may be missing; what is left of them is kept in ${keepCopy(file, now())}`,
    );
  let db: Database | undefined;
  try {
    db = openConnection(file, seen);
    assertIntact(db);
    const lost = versionOf(db) > 0 && !hadLog && wasOpen(db);
    migrate(db, file, log);
    if (lost)
      log(
        `the journal's log ${file}-wal is gone though the daemon did not end properly: its latest events may be missing`,
      );
  } catch (error) {
    db?.close();
    if (!isCorruption(error)) throw error;
    db = startOver(file, log, now(), error, seen);
  }
  try {
    markOpen(db);
  } catch (error) {
    if (isCorruption(error)) throw error;
    log(`the journal cannot be written now (${errorMessage(error)}): free some space, what comes waits in the spool`);
  }
  return db;
}

/** Closes it cleanly. */
export function closeDatabase(db: Database): void {
  try {
    db.run(`DELETE FROM meta WHERE key = 'open'`);
    // The library keeps statements, and with them the log, until they are collected: the file is made whole here.
    db.all('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function startOver(file: string, log: Log, now: number, error: unknown, seen: Seen): Database {
  const aside = setAside(file, now);
  prepareFile(file);
  let db = openConnection(file, seen);
  let outcome: string;
  try {
    outcome = carryOver(aside, db, file, log);
  } catch (trouble) {
    db.close();
    for (const side of ['', '-wal', '-shm']) rmSync(file + side, { force: true });
    prepareFile(file);
    db = openConnection(file, seen);
    migrate(db, file, log);
    outcome = `nothing could be carried over (${errorMessage(trouble)})`;
  }
  log(`the journal was damaged (${errorMessage(error)}): it is kept as ${aside}; ${outcome}`);
  return db;
}

/** In the schema it was written in, which is then brought to the current one. */
function carryOver(aside: string, db: Database, file: string, log: Log): string {
  const remains = openRemains(aside);
  try {
    const version = Math.min(remains?.version ?? MIGRATIONS.length, MIGRATIONS.length);
    migrate(db, file, log, MIGRATIONS.slice(0, version), false);
    const salvaged = remains?.carry(db);
    migrate(db, file, log, MIGRATIONS, false);
    if (salvaged === undefined) return 'nothing of it could be read';
    repairLines(db);
    const { rows, broken } = salvaged;
    const missing = `some rows of ${broken.join(', ')} could not be read and are missing`;
    return `${rows} rows were carried over, ${broken.length === 0 ? 'all there were to be read' : missing}`;
  } finally {
    remains?.close();
  }
}

const wasOpen = (db: Database): boolean => db.get(`SELECT 1 FROM meta WHERE key = 'open'`) !== undefined;

/** Written to the file itself, not to its log, so that a lost log is noticed. */
function markOpen(db: Database): void {
  db.run(`INSERT INTO meta (key, value) VALUES ('open', '1') ON CONFLICT (key) DO NOTHING`);
  db.all('PRAGMA wal_checkpoint(TRUNCATE)');
}

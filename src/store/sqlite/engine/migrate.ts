// Brings a database to the current schema; a copy of one that held something is kept as it was found.
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { UserError } from '../../../model/errors.ts';
import { type Migration, MIGRATIONS } from '../../migrations/index.ts';
import type { Database } from './database.ts';

/** The schema's version; 0: a new file. */
export function versionOf(db: Database): number {
  return Number(Object.values(db.get('PRAGMA user_version') ?? {})[0] ?? 0);
}

/** Refuses a database that a newer program made. */
export function refuseNewer(file: string, version: number, known = MIGRATIONS.length): void {
  if (version <= known) return;
  throw new UserError(
    `${file} was written by a newer belfry (schema ${version}, this one knows ${known}): install that version again, or move the file away to start with an empty journal`,
  );
}

/** Runs what is missing. The copy (none of what is newly made) stands beside the file, named with the version it holds. */
export function migrate(
  db: Database,
  file: string,
  log: (message: string) => void,
  migrations: readonly Migration[] = MIGRATIONS,
  copies = true,
): void {
  const found = versionOf(db);
  refuseNewer(file, found, migrations.length);
  if (found > 0 && found < migrations.length && copies) keepCopy(db, file, found);
  for (let version = found + 1; version <= migrations.length; version++) {
    db.transaction(() => {
      if (versionOf(db) >= version) return; // another process was faster
      const migration = migrations[version - 1] ?? '';
      if (typeof migration === 'string') db.exec(migration);
      else migration(db);
      db.exec(`PRAGMA user_version = ${version}`);
      // Written twice, so that a damaged header is not taken for another version's.
      db.exec(
        `INSERT INTO meta (key, value) VALUES ('schema', '${version}') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      );
    });
    if (found > 0 && copies) log(`database brought to schema ${version}`);
  }
}

function keepCopy(db: Database, file: string, version: number): void {
  const copy = `${file}.schema-${version}`;
  if (existsSync(copy)) return; // of an earlier try: the older one is the safer one
  // Under its name only once it is whole: a copy that a kill or a full disk cut short would be taken for the safer one.
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  db.run('VACUUM INTO ?', part);
  chmodSync(part, 0o600);
  renameSync(part, copy);
}

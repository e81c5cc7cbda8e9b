// Opens the SQLite store to read beside the daemon: a file of its own, so that the command line loads nothing that writes.
import { existsSync } from 'node:fs';
import { UserError } from '../model/errors.ts';
import { HOLD } from '../model/delivery/holds.ts';
import type { Scope, StoreReader } from './contract.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { changeReads } from './sqlite/engine/changes.ts';
import { counts, undecided } from './sqlite/upkeep/counts.ts';
import { openConnection, type Database } from './sqlite/engine/database.ts';
import { deliveryReads } from './sqlite/outbox/delivery-reads.ts';
import { isBehind } from './sqlite/outbox/undecided.ts';
import { eventReads } from './sqlite/events.ts';
import { beginnings } from './sqlite/id-prefix.ts';
import { migrate, refuseNewer, versionOf } from './sqlite/engine/migrate.ts';
import { notificationReads } from './sqlite/notifications.ts';
import { questionReads } from './sqlite/questions.ts';
import { stateReads } from './sqlite/state.ts';
import { countTimers, timerReads } from './sqlite/timers.ts';

/** Of one connection. A database is one person's: all its rows are theirs, and it takes no narrower scope. */
export function reads(db: Database, scope: Extract<Scope, 'all'>): StoreReader {
  return {
    scope,
    ...beginnings(db),
    ...eventReads(db),
    ...deliveryReads(db),
    ...stateReads(db),
    ...timerReads(db),
    ...notificationReads(db),
    ...questionReads(db),
    ...changeReads(db),
    isBehind: async (session, after, now) => isBehind(db, session, after, now),
    counts: async () => counts(db),
    undecided: async () => undecided(db) + countTimers(db, HOLD),
    close: async () => db.close(),
  };
}

/** Reads beside a running daemon, or without one. With no database yet there is nothing to read, which is no error. */
export async function openReader(file: string, scope: Extract<Scope, 'all'>): Promise<StoreReader> {
  if (!existsSync(file)) {
    const empty = openConnection(':memory:');
    migrate(empty, file, () => undefined);
    return reads(empty, scope);
  }
  const db = openConnection(file, { readOnly: true });
  try {
    const version = versionOf(db);
    refuseNewer(file, version);
    if (version < MIGRATIONS.length)
      throw new UserError(`${file} is of an older belfry: run \`belfry restart\` to bring it up to date`);
  } catch (error) {
    db.close();
    throw error;
  }
  return reads(db, scope);
}

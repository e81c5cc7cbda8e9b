// Opens the SQLite store: for the daemon to write, or for the command line to read beside it.
import { existsSync } from 'node:fs';
import { UserError } from '../model/errors.ts';
import { HOLD } from '../model/delivery/holds.ts';
import type { Store, StoreReader } from './contract.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { isCorruption } from './sqlite/corruption.ts';
import { beginnings } from './sqlite/id-prefix.ts';
import { openConnection, type Database } from './sqlite/database.ts';
import { deliveryReads } from './sqlite/delivery-row.ts';
import { eventReads, events } from './sqlite/events.ts';
import { stateReads, state } from './sqlite/state.ts';
import { journal } from './sqlite/journal.ts';
import { countTimers, timerReads, timers } from './sqlite/timers.ts';
import { migrate, refuseNewer, versionOf } from './sqlite/migrate.ts';
import { closeDatabase, openDatabase } from './sqlite/open-for-write.ts';
import { outbox } from './sqlite/outbox.ts';
import { counts, undecided } from './sqlite/counts.ts';
import { retention } from './sqlite/retention.ts';
import { createWriter } from './sqlite/group-commit.ts';
import { changeReads, createChangeLog } from './sqlite/changes.ts';
import { factReads } from './sqlite/facts.ts';
import type { WriteContext } from './sqlite/context.ts';
import { expiring } from './sqlite/expiry.ts';
import { notificationReads } from './sqlite/notifications.ts';
import { ownName } from './sqlite/lease-owner.ts';
import { questionReads, questions } from './sqlite/questions.ts';

export interface StoreOptions {
  /** One line about what was found and done at opening: a migration, a damaged file. */
  readonly log?: (message: string) => void;
  /** Unix ms. */
  readonly now?: () => number;
  /** The database was found damaged while in use: end and start over, opening it again sets it aside. Called once. */
  readonly damaged?: () => void;
  /** Of the leases taken; this process unless said otherwise. */
  readonly owner?: string;
  /** Sees the text of every statement, the first time that it is used. */
  readonly prepared?: (sql: string) => void;
}

function reads(db: Database): StoreReader {
  return {
    ...beginnings(db),
    ...eventReads(db),
    ...deliveryReads(db),
    ...stateReads(db),
    ...timerReads(db),
    ...notificationReads(db),
    ...questionReads(db),
    ...changeReads(db),
    counts: async () => counts(db),
    undecided: async () => undecided(db) + countTimers(db, HOLD),
    close: async () => db.close(),
  };
}

/** Opens or makes the database, for the one process that writes. A damaged one is set aside and what can be read is kept. */
export async function openStore(file: string, options: StoreOptions = {}): Promise<Store> {
  let open = false;
  let reported = false;
  const failed = (error: unknown): void => {
    if (!open || reported || !isCorruption(error)) return;
    reported = true;
    options.damaged?.();
  };
  const { prepared } = options;
  const seen = { failed, ...(prepared && { prepared }) };
  const db = openDatabase(file, options.log ?? (() => undefined), options.now ?? Date.now, seen);
  open = true;
  const now = options.now ?? Date.now;
  const changes = createChangeLog(db, now);
  const writer = createWriter(db, changes);
  const context: WriteContext = { db, writer, changes, now, owner: options.owner ?? ownName() };
  return {
    ...reads(db),
    ...journal(context),
    ...factReads(db),
    ...events(context),
    ...outbox(context),
    ...expiring(context),
    ...questions(context),
    ...timers(context),
    ...state(context),
    ...retention(db),
    now,
    watchChanges: changes.watch,
    close: async () => {
      writer.flush();
      closeDatabase(db);
    },
  };
}

/** Reads beside a running daemon, or without one. With no database yet there is nothing to read, which is no error. */
export async function openReader(file: string): Promise<StoreReader> {
  if (!existsSync(file)) {
    const empty = openConnection(':memory:');
    migrate(empty, file, () => undefined);
    return reads(empty);
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
  return reads(db);
}

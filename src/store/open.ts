// Opens the SQLite store for the daemon, which writes.
import type { Store } from './contract.ts';
import { reads } from './open-reader.ts';
import { isCorruption } from './sqlite/damage/corruption.ts';
import { events } from './sqlite/events.ts';
import { state } from './sqlite/state.ts';
import { journal } from './sqlite/journal.ts';
import { timers } from './sqlite/timers.ts';
import { closeDatabase, openDatabase } from './sqlite/open-for-write.ts';
import { outbox } from './sqlite/outbox/outbox.ts';
import { retention } from './sqlite/upkeep/retention.ts';
import { createWriter } from './sqlite/engine/group-commit.ts';
import { createChangeLog } from './sqlite/engine/changes.ts';
import { factReads } from './sqlite/facts.ts';
import type { WriteContext } from './sqlite/engine/context.ts';
import { expiring } from './sqlite/upkeep/expiry.ts';
import { ownName } from './sqlite/engine/lease-owner.ts';
import { questions } from './sqlite/questions.ts';

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
    ...reads(db, 'all'),
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
    touch: (rows) =>
      writer.write(() => {
        for (const { type, id } of rows) changes.note(type, id);
      }),
    close: async () => {
      writer.flush();
      closeDatabase(db);
    },
  };
}

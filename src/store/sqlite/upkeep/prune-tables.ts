// What goes from each table, oldest first and some hundreds at a time: never what is unfinished, open, or of a session that lives.
import { notificationIdOf } from '../../../model/ids.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import { isLive } from '../../../model/session/effective-state.ts';
import type { Database } from '../engine/database.ts';
import { decode, encode, parseJson } from '../../encoding.ts';
import { IN_LIST } from '../engine/list-parts.ts';
import { UNFINISHED } from '../outbox/partitions.ts';

/** Rows looked at in one transaction: short enough that no hook waits for it. */
const BATCH = 100;
/** Changes that stay however little room there is: whoever follows is behind by less. */
const CHANGES_LEFT = 1_000;

/** Deletes the next rows that are older than a time, Unix ms. Every call goes on where the one before stopped; how many, null: it is through. */
export type Batch = (olderThan: number) => number | null;

/** What is kept of one thing. */
interface Kept<R> {
  /** The next rows, oldest first. */
  readonly next: (after: R | null, olderThan: number) => readonly R[];
  /** Those of them that may go. */
  readonly old: (rows: readonly R[]) => readonly R[];
  readonly remove: (row: R) => void;
}

function batches<R>(db: Database, { next, old, remove }: Kept<R>): Batch {
  let after: R | null = null;
  return (olderThan) =>
    db.transaction(() => {
      const rows = next(after, olderThan);
      const gone = old(rows);
      for (const row of gone) remove(row);
      after = rows.at(-1) ?? after;
      return rows.length === 0 ? null : gone.length;
    });
}

interface JournalRow {
  readonly row: number;
  readonly received_at: number;
  readonly decided_at: number | null;
}

/**
 * In the order in which they came. The next call begins again at the first that was too young: by then it may not be. What follows it is
 * looked at all the same, as a clock that was ahead may have written it.
 */
function inOrder(db: Database, sql: string, remove: (row: JournalRow) => void): Batch {
  let after = 0;
  return (olderThan) =>
    db.transaction(() => {
      const rows = db.all<JournalRow>(sql, after);
      const gone = rows.filter(({ received_at, decided_at }) => decided_at !== null && received_at < olderThan);
      for (const row of gone) remove(row);
      const tooYoung = rows.findIndex(({ received_at, decided_at }) => decided_at !== null && received_at >= olderThan);
      const passed = tooYoung === -1 ? rows.at(-1) : rows[tooYoung - 1];
      after = passed?.row ?? after;
      return gone.length === 0 && passed === undefined ? null : gone.length;
    });
}

/** Raw inputs of decided entries. */
export const rawInputs = (db: Database): Batch =>
  inOrder(
    db,
    `SELECT r.row, r.received_at, j.decided_at FROM raws r JOIN journal j ON j.row = r.row
     WHERE r.row > ? ORDER BY r.row LIMIT ${BATCH}`,
    ({ row }) => db.run('DELETE FROM raws WHERE row = ?', row),
  );

/** Decided entries: they are only needed to know a repeat. The newest stays, so that rows never restart. */
export const journalEntries = (db: Database): Batch =>
  inOrder(
    db,
    `SELECT row, received_at, decided_at FROM journal
     WHERE row > ? AND row < (SELECT max(row) FROM journal) ORDER BY row LIMIT ${BATCH}`,
    ({ row }) => {
      db.run('DELETE FROM raws WHERE row = ?', row);
      db.run('DELETE FROM journal WHERE row = ?', row);
    },
  );

function deleteDelivery(db: Database, id: string): void {
  db.run('DELETE FROM attempts WHERE delivery_id = ?', id);
  db.run('DELETE FROM deliveries WHERE id = ?', id);
}

/** Dead letters; `olderThan`: since they are dead. */
export const deadLetters =
  (db: Database): Batch =>
  (olderThan) =>
    db.transaction(() => {
      const sql = `SELECT id FROM deliveries INDEXED BY deliveries_dead
        WHERE state = 'dead' AND updated_at < ? ORDER BY updated_at LIMIT ${BATCH}`;
      const rows = db.all<{ id: string }>(sql, olderThan);
      for (const { id } of rows) deleteDelivery(db, id);
      return rows.length === 0 ? null : rows.length;
    });

/** Whether something of these is still to be sent, or somebody has not dealt with it. */
function unfinishedEvents(db: Database, ids: readonly string[]): ReadonlySet<string> {
  const list = JSON.stringify(ids);
  const own = new Map(ids.map((id) => [encode(notificationIdOf(decode(id))), id]));
  const unsent = `SELECT event_id AS id FROM deliveries WHERE event_id ${IN_LIST} AND +state IN ${UNFINISHED}`;
  const open = `SELECT id FROM notifications WHERE id ${IN_LIST} AND +state IN ('open', 'acknowledged')`;
  const within = `SELECT e.event_id AS id FROM notification_events e JOIN notifications n ON n.id = e.notification_id
    WHERE e.event_id ${IN_LIST} AND +n.state IN ('open', 'acknowledged')`;
  const found = (sql: string, given: string): readonly string[] =>
    db.all<{ id: string }>(sql, given).map(({ id }) => id);
  const ofOpen = found(open, JSON.stringify([...own.keys()])).flatMap((id) => own.get(id) ?? []);
  return new Set([...found(unsent, list), ...ofOpen, ...found(within, list)]);
}

interface EventRow {
  readonly row: number;
  readonly id: string;
  readonly at: number;
}

/** Events with their deliveries; the newest stays, so that rows never restart. `passed`: how far it has come, Unix ms. */
export function pastEvents(db: Database, passed: (at: number) => void = () => undefined): Batch {
  return batches<EventRow>(db, {
    next: (after, olderThan) =>
      db.all<EventRow>(
        `SELECT row, id, at FROM events WHERE at < ? AND (at, row) > (?, ?) ORDER BY at, row LIMIT ${BATCH}`,
        olderThan,
        after?.at ?? 0,
        after?.row ?? 0,
      ),
    old: (rows) => {
      const newest = db.get<{ row: number | null }>('SELECT max(row) AS row FROM events')?.row ?? 0;
      const needed = unfinishedEvents(
        db,
        rows.map(({ id }) => id),
      );
      return rows.filter(({ row, id }) => row !== newest && !needed.has(id));
    },
    remove: ({ row, id, at }) => {
      for (const one of db.all<{ id: string }>('SELECT id FROM deliveries WHERE event_id = ?', id))
        deleteDelivery(db, one.id);
      db.run('DELETE FROM events WHERE row = ?', row);
      passed(at);
    },
  });
}

interface OverRow {
  readonly row: number;
  readonly id: string;
  readonly at: number;
}

/** Notifications that are over, of which nothing is to be sent. */
export function pastNotifications(db: Database): Batch {
  const unsent = `SELECT 1 FROM deliveries WHERE notification_id = ? AND +state IN ${UNFINISHED} LIMIT 1`;
  return batches<OverRow>(db, {
    next: (after, olderThan) =>
      db.all<OverRow>(
        `SELECT row, id, updated_at AS at FROM notifications INDEXED BY notifications_over
         WHERE state IN ('resolved', 'expired') AND updated_at < ? AND (updated_at, row) > (?, ?)
         ORDER BY updated_at, row LIMIT ${BATCH}`,
        olderThan,
        after?.at ?? 0,
        after?.row ?? 0,
      ),
    old: (rows) => rows.filter(({ id }) => db.get(unsent, id) === undefined),
    remove: ({ row, id }) => {
      db.run('DELETE FROM notification_events WHERE notification_id = ?', id);
      db.run('DELETE FROM notifications WHERE row = ?', row);
    },
  });
}

interface QuestionRow {
  readonly row: number;
  readonly deadline: number;
}

/** Questions that nobody can answer any more. */
export const pastQuestions = (db: Database): Batch =>
  batches<QuestionRow>(db, {
    next: (after, olderThan) =>
      db.all<QuestionRow>(
        `SELECT row, deadline FROM questions WHERE deadline < ? AND (deadline, row) > (?, ?)
         ORDER BY deadline, row LIMIT ${BATCH}`,
        olderThan,
        after?.deadline ?? 0,
        after?.row ?? 0,
      ),
    old: (rows) => rows,
    remove: ({ row }) => db.run('DELETE FROM questions WHERE row = ?', row),
  });

interface SessionRow {
  readonly row: number;
  readonly at: number;
  readonly record: string;
}

/** Sessions that do not go on. `now`: Unix ms. */
export const pastSessions = (db: Database, now: number): Batch =>
  batches<SessionRow>(db, {
    next: (after, olderThan) =>
      db.all<SessionRow>(
        `SELECT rowid AS row, last_event AS at, record FROM sessions WHERE last_event < ? AND (last_event, rowid) > (?, ?)
         ORDER BY last_event, rowid LIMIT ${BATCH}`,
        olderThan,
        after?.at ?? 0,
        after?.row ?? 0,
      ),
    old: (rows) =>
      rows.filter(({ record }) => {
        const kept = parseJson<SessionRecord>(record); // written from one; a damaged row counts as none
        return kept === undefined || !isLive(kept, now);
      }),
    remove: ({ row }) => db.run('DELETE FROM sessions WHERE rowid = ?', row),
  });

/** Changes, but for the latest. */
export const pastChanges =
  (db: Database): Batch =>
  (olderThan) =>
    db.run(
      `DELETE FROM changes WHERE seq IN (SELECT seq FROM changes
         WHERE at < ?1 AND seq <= (SELECT max(seq) FROM changes) - ?2 ORDER BY at LIMIT ${BATCH})`,
      olderThan,
      CHANGES_LEFT,
    ) || null;

/** Changes that are too old for anybody to follow. */
export const oldChanges =
  (db: Database): Batch =>
  (olderThan) =>
    db.run(
      `DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE at < ? ORDER BY at LIMIT ${BATCH})`,
      olderThan,
    ) || null;

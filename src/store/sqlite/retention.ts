// Keeps the database within its bounds: old rows go, oldest first, and the file gives their pages back.
import type { DeliveryState } from '../../model/delivery.ts';
import { DELIVERY_STATES } from '../../model/delivery.ts';
import type { Counts, Store } from '../contract.ts';
import type { Database } from './database.ts';
import { pruneChanges } from './changes.ts';
import { decode } from './encoding.ts';
import { UNFINISHED } from './partitions.ts';
import { countNotifications } from './notifications.ts';

/** Events deleted in one transaction: short enough that no hook waits for it. */
const BATCH = 500;

const number = (db: Database, sql: string): number => Number(Object.values(db.get(sql) ?? {})[0] ?? 0);

/** Bytes in use, free pages not counted. */
const used = (db: Database): number =>
  (number(db, 'PRAGMA page_count') - number(db, 'PRAGMA freelist_count')) * number(db, 'PRAGMA page_size');

const FINISHED = `NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.state IN ${UNFINISHED})`;

/** Deletes the oldest finished events with all rows that refer to them; the newest stays, so that rows never restart. */
function deleteEvents(db: Database, olderThan: number): number {
  return db.transaction(() => {
    const rows = db.all<{ row: number; id: string }>(
      `SELECT e.row, e.id FROM events e WHERE e.at < ? AND e.row < (SELECT max(row) FROM events) AND ${FINISHED}
       ORDER BY e.at LIMIT ${BATCH}`,
      olderThan,
    );
    for (const { row, id } of rows) {
      db.run('DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE event_id = ?)', id);
      db.run('DELETE FROM deliveries WHERE event_id = ?', id);
      db.run('DELETE FROM events WHERE row = ?', row);
    }
    return rows.length;
  });
}

/** Those that are over, and questions that nobody can answer any more. */
function deleteNotifications(db: Database, olderThan: number): void {
  db.run(
    `DELETE FROM notifications WHERE state IN ('resolved', 'expired') AND updated_at < ? AND NOT EXISTS
       (SELECT 1 FROM deliveries d WHERE d.notification_id = notifications.id AND d.state IN ${UNFINISHED})`,
    olderThan,
  );
  db.run('DELETE FROM notification_events WHERE notification_id NOT IN (SELECT id FROM notifications)');
  db.run('DELETE FROM questions WHERE deadline < ?', olderThan);
}

/** Decided entries older than the oldest kept event; the entry is only needed to know a repeat. */
function deleteJournal(db: Database, olderThan: number): number {
  return db.transaction(() => {
    const rows = db.all<{ row: number }>(
      `SELECT row FROM journal WHERE decided_at IS NOT NULL AND received_at < ? AND row < (SELECT max(row) FROM journal)
       ORDER BY row LIMIT ${BATCH}`,
      olderThan,
    );
    for (const { row } of rows) {
      db.run('DELETE FROM raws WHERE row = ?', row);
      db.run('DELETE FROM journal WHERE row = ?', row);
    }
    return rows.length;
  });
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Repeats a batch until it finds nothing more, yielding to other work in between. */
async function all(batch: () => number, go: () => boolean = () => true): Promise<number> {
  let total = 0;
  while (go()) {
    const n = batch();
    total += n;
    if (n === 0) break;
    await pause();
  }
  return total;
}

const WAITING: ReadonlySet<DeliveryState> = new Set(['pending', 'leased', 'paused']);

/** Entries of the journal. */
export const undecided = (db: Database): number => number(db, 'SELECT count(*) FROM journal WHERE decided_at IS NULL');

/** Counters, each from an index: no row is read. */
export function counts(db: Database): Counts {
  const deliveries = Object.fromEntries(DELIVERY_STATES.map((s) => [s, 0])) as Record<DeliveryState, number>;
  const waiting = new Map<string, number>();
  const rows = db.all<{ state: DeliveryState; channel: string; n: number }>(
    'SELECT state, channel, count(*) AS n FROM deliveries INDEXED BY deliveries_state GROUP BY state, channel',
  );
  for (const { state, channel: stored, n } of rows) {
    const channel = decode(stored);
    deliveries[state] += n;
    if (WAITING.has(state)) waiting.set(channel, (waiting.get(channel) ?? 0) + n);
  }
  return {
    events: number(db, 'SELECT count(*) FROM events INDEXED BY events_at'),
    undecided: undecided(db),
    notifications: countNotifications(db),
    openQuestions: number(db, `SELECT count(*) FROM questions INDEXED BY questions_open WHERE state = 'open'`),
    deliveries,
    waiting,
    bytes: used(db),
  };
}

/** Retention. */
export function retention(db: Database): Pick<Store, 'prune'> {
  return {
    prune: async ({ now, maxAgeMs, maxBytes, rawAgeMs, deadAgeMs }) => {
      const raws = await all(() =>
        db.run(
          `DELETE FROM raws WHERE row IN
             (SELECT r.row FROM raws r JOIN journal j ON j.row = r.row
              WHERE r.received_at < ? AND j.decided_at IS NOT NULL ORDER BY r.row LIMIT ${BATCH})`,
          now - rawAgeMs,
        ),
      );
      const dead = await all(() =>
        db.transaction(() => {
          const ids = db.all<{ id: string }>(
            `SELECT id FROM deliveries WHERE state = 'dead' AND updated_at < ? LIMIT ${BATCH}`,
            now - deadAgeMs,
          );
          for (const { id } of ids) {
            db.run('DELETE FROM attempts WHERE delivery_id = ?', id);
            db.run('DELETE FROM deliveries WHERE id = ?', id);
          }
          return ids.length;
        }),
      );
      const limit = now - maxAgeMs;
      let events = await all(() => deleteEvents(db, limit));
      await all(() => deleteJournal(db, limit));
      const tooBig = (): boolean => used(db) > maxBytes;
      // Raw inputs take most space and are needed least.
      await all(
        () =>
          db.run(
            `DELETE FROM raws WHERE row IN
               (SELECT r.row FROM raws r JOIN journal j ON j.row = r.row WHERE j.decided_at IS NOT NULL ORDER BY r.row LIMIT ${BATCH})`,
          ),
        tooBig,
      );
      events += await all(() => deleteEvents(db, now) + deleteJournal(db, now), tooBig);
      db.run('DELETE FROM sessions WHERE last_event < ?', limit);
      db.run('DELETE FROM silences WHERE until < ?', now);
      deleteNotifications(db, limit);
      pruneChanges(db, now);
      await all(() => {
        const before = number(db, 'PRAGMA freelist_count');
        db.exec('PRAGMA incremental_vacuum(1000)');
        return before - number(db, 'PRAGMA freelist_count');
      });
      db.all('PRAGMA wal_checkpoint(TRUNCATE)');
      return { events, raws, dead };
    },
  };
}

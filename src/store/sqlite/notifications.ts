// Notifications: rows written by decisions and by time, each of them only over the version it was read at.
import { NOTIFICATION_STATES, type Notification, type NotificationState } from '../../model/notification.ts';
import type { Store, StoreReader } from '../contract.ts';
import type { WriteContext } from './context.ts';
import type { Database, Value } from './database.ts';
import { encode, parseJson } from './encoding.ts';

interface NotificationRow {
  readonly version: number;
  readonly notification: string;
}

/** Written by `writeNotification`; a damaged row counts as none. */
function notificationOf({ version, notification }: NotificationRow): readonly Notification[] {
  const kept = parseJson<Notification>(notification);
  return kept === undefined ? [] : [{ ...kept, version }];
}

function read(db: Database, id: string): Notification | null {
  const row = db.get<NotificationRow>('SELECT version, notification FROM notifications WHERE id = ?', encode(id));
  return row ? (notificationOf(row)[0] ?? null) : null;
}

/** Whether it stands at the version that `notification` was read at. */
export function notificationIsCurrent(db: Database, { id, version }: Notification): boolean {
  const row = db.get<{ version: number }>('SELECT version FROM notifications WHERE id = ?', encode(id));
  return (row?.version ?? 0) === version;
}

/** Adds or replaces one, with the next version. */
export function writeNotification({ db, changes }: WriteContext, notification: Notification): Notification {
  const next = { ...notification, version: notification.version + 1 };
  db.run(
    `INSERT INTO notifications (id, thread_key, state, version, updated_at, expires_at, notification)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET thread_key = excluded.thread_key, state = excluded.state, version = excluded.version,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at, notification = excluded.notification`,
    ...[encode(next.id), encode(next.threadKey), next.state, next.version, next.updatedAt, next.expiresAt],
    JSON.stringify(next),
  );
  changes.note('notification', next.id);
  return next;
}

/** What may be read of notifications. */
export function notificationReads(db: Database): Pick<StoreReader, 'notification' | 'notifications'> {
  return {
    notification: async (id) => read(db, id),
    notifications: async ({ states, threadKey, limit = 1_000 }) => {
      const parts: string[] = [];
      const values: Value[] = [];
      if (states) {
        parts.push(`state IN (${states.map(() => '?').join(', ')})`);
        values.push(...states);
      }
      if (threadKey !== undefined) {
        parts.push('thread_key = ?');
        values.push(encode(threadKey));
      }
      const where = parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '';
      const sql = `SELECT version, notification FROM notifications ${where} ORDER BY row DESC LIMIT ?`;
      return db
        .all<NotificationRow>(sql, ...values, limit)
        .reverse()
        .flatMap(notificationOf);
    },
  };
}

/** How many there are in each state, from the index. */
export function countNotifications(db: Database): Readonly<Record<NotificationState, number>> {
  const rows = db.all<{ state: NotificationState; n: number }>(
    'SELECT state, count(*) AS n FROM notifications GROUP BY state',
  );
  const found = new Map(rows.map(({ state, n }) => [state, n]));
  const entries = NOTIFICATION_STATES.map((state) => [state, found.get(state) ?? 0]);
  return Object.fromEntries(entries) as Record<NotificationState, number>; // an entry each
}

/** Notifications expired in one transaction. */
const BATCH = 500;

/** The writes besides decisions. */
export function notifications(context: WriteContext): Pick<Store, 'expireNotifications'> {
  const { db, writer } = context;
  return {
    expireNotifications: async (now) => {
      for (let total = 0; ; ) {
        const expired = await writer.write(() => {
          const rows = db.all<NotificationRow>(
            `SELECT version, notification FROM notifications
             WHERE state IN ('open', 'acknowledged') AND expires_at <= ? ORDER BY expires_at LIMIT ${BATCH}`,
            now,
          );
          const over = rows.flatMap(notificationOf);
          for (const one of over) writeNotification(context, { ...one, state: 'expired', updatedAt: now });
          return over.length;
        });
        total += expired;
        if (expired === 0) return total;
      }
    },
  };
}

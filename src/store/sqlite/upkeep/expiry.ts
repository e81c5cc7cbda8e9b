// What time alone ends: notifications that nothing waits for any more.
import { notificationIdOf, sessionKeyOf } from '../../../model/ids.ts';
import { ENDED_BY_SESSION, type Notification } from '../../../model/notification/notification.ts';
import { isLive } from '../../../model/session/effective-state.ts';
import type { Store } from '../../contract.ts';
import type { WriteContext } from '../engine/context.ts';
import type { Database } from '../engine/database.ts';
import { encode } from '../../encoding.ts';
import { type NotificationRow, notificationOf, writeNotification } from '../notifications.ts';
import { UNFINISHED } from '../outbox/partitions.ts';
import { sessionOf } from '../state.ts';

/** Notifications looked at in one transaction. */
const BATCH = 500;

/** While the session lives they wait for that. */
const WAITS_FOR_SESSION: ReadonlySet<string> = new Set(ENDED_BY_SESSION);

function hasUnsent(db: Database, { id }: Notification): boolean {
  const sql = `SELECT 1 FROM deliveries WHERE notification_id = ? AND state IN ${UNFINISHED} LIMIT 1`;
  return db.get(sql, encode(id)) !== undefined;
}

function sessionLives(db: Database, { kind, threadKey }: Notification, now: number): boolean {
  if (!WAITS_FOR_SESSION.has(kind) || threadKey.split('/').length !== 4) return false; // of no session
  const record = sessionOf(db, sessionKeyOf(threadKey));
  return record !== null && isLive(record, now);
}

/** Of a group, a storm or a digest: one of the notifications in it is not over. */
function hasOpenMember(db: Database, { id, eventIds }: Notification): boolean {
  const own = eventIds.map(notificationIdOf).filter((one) => one !== id);
  const sql = `SELECT 1 FROM notifications
    WHERE id IN (SELECT value FROM json_each(?)) AND +state IN ('open', 'acknowledged') LIMIT 1`;
  return own.length > 0 && db.get(sql, JSON.stringify(own.map(encode))) !== undefined;
}

/** Whether it is not over however old it is: something of it is unsent, or what it is about goes on. */
function isWaiting(db: Database, notification: Notification, now: number): boolean {
  const [first] = notification.eventIds;
  const isCombined = first !== undefined && notificationIdOf(first) !== notification.id;
  if (hasUnsent(db, notification)) return true;
  return isCombined ? hasOpenMember(db, notification) : sessionLives(db, notification, now);
}

/** The write. */
export function expiring(context: WriteContext): Pick<Store, 'expireNotifications'> {
  const { db, writer } = context;
  return {
    expireNotifications: async (now) => {
      let after = { expires_at: 0, row: 0 };
      for (let total = 0; ; ) {
        const { rows, expired } = await writer.write(() => {
          const rows = db.all<NotificationRow & typeof after>(
            `SELECT row, expires_at, version, notification FROM notifications INDEXED BY notifications_open
             WHERE state IN ('open', 'acknowledged') AND expires_at <= ?1 AND (expires_at, row) > (?2, ?3)
             ORDER BY expires_at, row LIMIT ${BATCH}`,
            now,
            after.expires_at,
            after.row,
          );
          const over = rows.flatMap(notificationOf).filter((one) => !isWaiting(db, one, now));
          for (const one of over) writeNotification(context, { ...one, state: 'expired', updatedAt: now });
          return { rows, expired: over.length };
        });
        total += expired;
        const last = rows.at(-1);
        if (last === undefined || rows.length < BATCH) return total;
        after = last;
      }
    },
  };
}

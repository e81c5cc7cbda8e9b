// Notifications: rows written by decisions and by time, each of them only over the version it was read at.
import { STORM_HOLD } from '../../model/delivery/holds.ts';
import { notificationIdOf } from '../../model/ids.ts';
import {
  NOTIFICATION_STATES,
  type Notification,
  type NotificationState,
} from '../../model/notification/notification.ts';
import type { NotificationFilter, StoreReader } from '../contract.ts';
import type { WriteContext } from './engine/context.ts';
import type { Database, Value } from './engine/database.ts';
import { decode, encode, parseJson } from '../encoding.ts';
import { rowsOf } from './engine/rows-of.ts';

/** A row as it is read. */
export interface NotificationRow {
  readonly version: number;
  readonly notification: string;
}

/** Written by `writeNotification`; a damaged row counts as none. */
export function notificationOf({ version, notification }: NotificationRow): readonly Notification[] {
  const kept = parseJson<Notification>(notification);
  return kept === undefined ? [] : [{ ...kept, version }];
}

function read(db: Database, id: string): Notification | null {
  const row = db.get<NotificationRow>('SELECT version, notification FROM notifications WHERE id = ?', encode(id));
  return row ? (notificationOf(row)[0] ?? null) : null;
}

/** Adds or replaces one, with the next version. */
export function writeNotification({ db, changes }: WriteContext, notification: Notification): Notification {
  const next = { ...notification, version: notification.version + 1 };
  db.run(
    `INSERT INTO notifications (id, thread_key, kind, state, version, updated_at, expires_at, notification)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET thread_key = excluded.thread_key, kind = excluded.kind, state = excluded.state,
       version = excluded.version, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
       notification = excluded.notification`,
    encode(next.id),
    encode(next.threadKey),
    next.kind,
    next.state,
    next.version,
    next.updatedAt,
    next.expiresAt,
    JSON.stringify(next),
  );
  coverEvents(db, next);
  changes.note('notification', next.id);
  return next;
}

/** Makes a group or digest findable by its events; a notification of one event is found by its id. */
function coverEvents(db: Database, { id, eventIds }: Notification): void {
  const [first] = eventIds;
  if (first === undefined || notificationIdOf(first) === id) return;
  db.run(
    'INSERT OR IGNORE INTO notification_events (event_id, notification_id) SELECT value, ? FROM json_each(?)',
    encode(id),
    JSON.stringify(eventIds.map(encode)),
  );
}

const NOT_OVER_SQL = `state IN ('open', 'acknowledged')`;

/** The rows that a list wants, the latest first: those of a thread, an id or an event are few, those of one state many. */
function notificationRows(
  { states, threadKey, kinds, ids, covers }: NotificationFilter,
  limit: number,
): { readonly sql: string; readonly values: readonly Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, value: Value): void => {
    parts.push(sql);
    values.push(value);
  };
  const inList = 'IN (SELECT value FROM json_each(?))';
  if (threadKey !== undefined) add('thread_key = ?', encode(threadKey));
  if (ids !== undefined) add(`id ${inList}`, JSON.stringify(ids.map(encode)));
  if (covers !== undefined)
    add(
      `id IN (SELECT notification_id FROM notification_events WHERE event_id ${inList})`,
      JSON.stringify(covers.map(encode)),
    );
  const order = 'ORDER BY row DESC LIMIT ?';
  const isNarrow = parts.length > 0;
  if (kinds !== undefined) add(`kind ${inList}`, JSON.stringify(kinds));
  if (isNarrow && states !== undefined) {
    // The index of those that are not over is taken for these very words.
    const notOver = states.every((state) => state === 'open' || state === 'acknowledged');
    if (threadKey !== undefined && notOver) parts.push(NOT_OVER_SQL);
    add(`+state ${inList}`, JSON.stringify(states));
  }
  const select = (...more: readonly string[]): string =>
    `SELECT row FROM notifications WHERE ${[...parts, ...more].join(' AND ') || 'true'}`;
  if (isNarrow || states === undefined) return { sql: `${select()} ${order}`, values: [...values, limit] };
  const ofStates = states.map((state) => select(`state = '${state}'`));
  const all = ofStates.flatMap(() => values);
  return { sql: `${ofStates.join(' UNION ALL ') || select('false')} ${order}`, values: [...all, limit] };
}

/** What may be read of notifications. */
export function notificationReads(db: Database): Pick<StoreReader, 'notification' | 'notifications' | 'plannedSends'> {
  return {
    notification: async (id) => read(db, id),
    notifications: async (filter) => {
      const { sql, values } = notificationRows(filter, filter.limit ?? 1_000);
      return db
        .all<NotificationRow>(
          `SELECT version, notification FROM notifications WHERE row IN (${sql}) ORDER BY row`,
          ...values,
        )
        .flatMap(notificationOf);
    },
    plannedSends: async (threadKey, { since, least, most }) =>
      hasAtLeast(db, threadKey, least)
        ? plannedSendsOf(rowsOf<SendCells>(db, PLANNED_SENDS, encode(threadKey), null, null, since, most))
        : new Map(),
  };
}

/** From the index alone. */
function hasAtLeast(db: Database, threadKey: string, least: number): boolean {
  const sql = 'SELECT 1 FROM notifications WHERE thread_key = ? LIMIT 1 OFFSET ?';
  return least <= 0 || db.get(sql, encode(threadKey), least - 1) !== undefined;
}

/** A first send: of which channel, and when it was planned. */
export type SendCells = readonly [channel: string, createdAt: number];

/** Those of the thread ?1 since ?4, of its latest ?5 notifications. */
export const PLANNED_SENDS = `SELECT json_group_array(json_array(d.channel, d.created_at) ORDER BY d.created_at) AS rows FROM
    (SELECT id FROM notifications WHERE thread_key = ?1 ORDER BY row DESC LIMIT ?5) n
    CROSS JOIN deliveries d ON d.notification_id = n.id
  WHERE d.step = 0 AND d.operation = 'send' AND d.created_at > ?4 AND d.state <> 'cancelled'
    AND (d.held_by IS NULL OR d.held_by LIKE '${STORM_HOLD}%')`;

/** By channel. */
export function plannedSendsOf(rows: readonly SendCells[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [channel, createdAt] of rows) {
    const name = decode(channel);
    found.set(name, [...(found.get(name) ?? []), createdAt]);
  }
  return found;
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

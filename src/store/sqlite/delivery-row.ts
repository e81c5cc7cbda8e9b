// A row of the outbox, read: as claimed by the worker and as listed by the command line.
import type { Attempt, Delivery, DeliveryState, Reason } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import type { DeliveryFilter, StoreReader } from '../contract.ts';
import type { Database, Value } from './database.ts';
import { placeholderAttempt, placeholderNotification } from './placeholder.ts';
import { encode, decode, parseJson } from './encoding.ts';

export interface DeliveryRow {
  readonly seq: number;
  readonly id: string;
  readonly event_id: string;
  readonly channel: string;
  readonly session_key: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly failures: number;
  readonly deferrals: number;
  readonly unknowns: number;
  readonly due: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last: string | null;
  readonly notification: string;
}

export const COLUMNS =
  'seq, id, event_id, channel, session_key, state, attempts, failures, deferrals, unknowns, due, created_at, updated_at, last, notification';

/** Throws when the stored JSON is damaged. */
export function deliveryOf(row: DeliveryRow): Delivery {
  const last = row.last === null ? null : (JSON.parse(row.last) as { reason: Reason | null; error: string | null });
  return {
    id: decode(row.id),
    eventId: decode(row.event_id),
    channel: decode(row.channel),
    sessionKey: decode(row.session_key),
    notification: JSON.parse(row.notification) as Notification, // written from a Notification
    state: row.state,
    attempts: row.attempts,
    failures: row.failures,
    deferrals: row.deferrals,
    unknowns: row.unknowns,
    due: row.due,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastReason: last?.reason ?? null,
    lastError: last?.error ?? null,
  };
}

/** For lists: a placeholder where the stored JSON is damaged. */
function shownDelivery(row: DeliveryRow): Delivery {
  try {
    return deliveryOf(row);
  } catch {
    const damaged = (text: string): boolean => parseJson(text) === undefined;
    const placeholder = JSON.stringify(placeholderNotification(decode(row.event_id), row.created_at));
    const last = row.last !== null && damaged(row.last) ? null : row.last;
    return deliveryOf({ ...row, last, notification: damaged(row.notification) ? placeholder : row.notification });
  }
}

/** Written from an Attempt. */
function attemptOf(deliveryId: string, { number, attempt }: { number: number; attempt: string }): Attempt {
  return parseJson<Attempt>(attempt) ?? placeholderAttempt(deliveryId, number);
}

function conditions(filter: DeliveryFilter): { where: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, ...more: Value[]): void => {
    parts.push(sql);
    values.push(...more);
  };
  const marks = (list: readonly unknown[]): string => list.map(() => '?').join(', ');
  if (filter.since !== undefined) add('created_at >= ?', filter.since);
  if (filter.createdBefore !== undefined) add('created_at < ?', filter.createdBefore);
  if (filter.ids) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids.map(encode)));
  if (filter.eventId !== undefined) add('event_id = ?', encode(filter.eventId));
  if (filter.channel !== undefined) add('channel = ?', encode(filter.channel));
  if (filter.states) add(`state IN (${marks(filter.states)})`, ...filter.states);
  if (filter.kinds) add(`event_id IN (SELECT id FROM events WHERE kind IN (${marks(filter.kinds)}))`, ...filter.kinds);
  if (filter.session !== undefined)
    add('event_id IN (SELECT id FROM events WHERE session = ?)', encode(filter.session));
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
}

/** What may be read of the outbox. */
export function deliveryReads(db: Database): Pick<StoreReader, 'deliveries' | 'attempts' | 'unfinishedChannels'> {
  return {
    deliveries: async (filter) => {
      const { where, values } = conditions(filter);
      const sql = `SELECT ${COLUMNS} FROM deliveries ${where} ORDER BY seq ${filter.fromOldest ? 'ASC' : 'DESC'} LIMIT ?`;
      const rows = db.all<DeliveryRow>(sql, ...values, filter.limit ?? 1_000);
      return (filter.fromOldest ? rows : rows.reverse()).map(shownDelivery);
    },
    unfinishedChannels: async () =>
      db
        .all<{ channel: string }>(
          `SELECT DISTINCT channel FROM deliveries WHERE state IN ('pending', 'leased', 'parked')`,
        )
        .map((row) => decode(row.channel)),
    attempts: async (deliveryId) =>
      db
        .all<{ number: number; attempt: string }>(
          'SELECT number, attempt FROM attempts WHERE delivery_id = ? ORDER BY number',
          encode(deliveryId),
        )
        .map((row) => attemptOf(deliveryId, row)),
  };
}

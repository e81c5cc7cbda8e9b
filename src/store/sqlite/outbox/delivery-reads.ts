// What may be read of the outbox: lists for people, progress for decisions.
import type { Attempt, Delivery, DeliveryProgress } from '../../../model/delivery/delivery.ts';
import type { StoreReader } from '../../contract.ts';
import type { Database } from '../engine/database.ts';
import { placeholderAttempt, placeholderContent } from '../damage/corrupt-record.ts';
import { channelsOf, deliveryNumbers } from './delivery-filter.ts';
import { COLUMNS, contentOf, deliveryOf, type DeliveryRow } from './delivery-row.ts';
import { decode, encode, parseJson } from '../../encoding.ts';
import { rowsOf } from '../engine/rows-of.ts';

/** For lists: a placeholder where the stored JSON is damaged. */
function shownDelivery(row: DeliveryRow): Delivery {
  try {
    return deliveryOf(row);
  } catch {
    const placeholder = JSON.stringify(placeholderContent(decode(row.event_id), row.created_at));
    const last = row.last !== null && parseJson(row.last) === undefined ? null : row.last;
    return deliveryOf({ ...row, last, content: contentOf(row.content) === null ? placeholder : row.content });
  }
}

/** Written from an Attempt. */
function attemptOf(deliveryId: string, { number, attempt }: { number: number; attempt: string }): Attempt {
  return parseJson<Attempt>(attempt) ?? placeholderAttempt(deliveryId, number);
}

type ProgressRow = Pick<
  DeliveryRow,
  | 'notification_id'
  | 'channel'
  | 'operation'
  | 'revision'
  | 'step'
  | 'state'
  | 'scheduled'
  | 'held_by'
  | 'due'
  | 'unless'
  | 'only_when'
>;

/** The columns in the order of the query below, which makes one text of all rows: a third of the time that a row each takes. */
export type ProgressCells = readonly [
  ...[ProgressRow['notification_id'], ProgressRow['channel'], ProgressRow['operation'], ProgressRow['revision']],
  ...[ProgressRow['step'], ProgressRow['state'], ProgressRow['scheduled'], ProgressRow['held_by']],
  ...[ProgressRow['due'], ProgressRow['unless'], ProgressRow['only_when']],
];

/** Of the deliveries that a condition behind it names. */
export const PROGRESS_OF = `SELECT json_group_array(json_array(notification_id, channel, operation, revision, step, state, scheduled, held_by,
    due, unless, only_when) ORDER BY seq) AS rows
  FROM deliveries`;
const PROGRESS = `${PROGRESS_OF} WHERE notification_id IN (SELECT value FROM json_each(?))`;

/** Written by the query above. */
export function progressOf(cells: ProgressCells): DeliveryProgress {
  const [id, channel, operation, revision, step, state, scheduled, heldBy, due, unless, only] = cells;
  return {
    notificationId: decode(id),
    channel: decode(channel),
    operation,
    revision,
    step,
    state,
    scheduled: scheduled === 1,
    heldBy: heldBy === null ? null : decode(heldBy),
    due,
    unless,
    only,
  };
}

const HOLDS = `SELECT held_by, count(*) AS n FROM deliveries INDEXED BY deliveries_held
  WHERE held_by IS NOT NULL AND state = 'pending' GROUP BY held_by`;

/** From indexes, an open notification after the other: they are few beside what a channel was ever sent. */
const SENT_OPEN = `SELECT 1 FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id
  WHERE n.state = 'open' AND d.channel = ? AND d.operation = 'send' AND +d.state = 'sent' LIMIT 1`;

/** What may be read of the outbox. */
export function deliveryReads(
  db: Database,
): Pick<StoreReader, 'deliveries' | 'deliveryProgress' | 'sentOpen' | 'attempts' | 'unfinishedChannels' | 'holds'> {
  return {
    deliveryProgress: async (notificationIds) =>
      notificationIds.length === 0
        ? []
        : rowsOf<ProgressCells>(db, PROGRESS, JSON.stringify(notificationIds.map(encode))).map(progressOf),
    sentOpen: async (channel) => db.get(SENT_OPEN, encode(channel)) !== undefined,
    deliveries: async (filter) => {
      const found = await deliveryNumbers(db, filter, filter.limit ?? 1_000);
      return db
        .all<DeliveryRow>(
          `SELECT ${COLUMNS} FROM deliveries WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq`,
          JSON.stringify(found),
        )
        .map(shownDelivery);
    },
    unfinishedChannels: async () => {
      const found = (['pending', 'leased', 'paused'] as const).flatMap((state) => channelsOf(db, state));
      return [...new Set(found.map(decode))];
    },
    holds: async () => {
      const rows = db.all<{ held_by: string; n: number }>(HOLDS);
      return new Map(rows.map(({ held_by, n }) => [decode(held_by), n]));
    },
    attempts: async (deliveryId) =>
      db
        .all<{ number: number; attempt: string }>(
          'SELECT number, attempt FROM attempts WHERE delivery_id = ? ORDER BY number',
          encode(deliveryId),
        )
        .map((row) => attemptOf(deliveryId, row)),
  };
}

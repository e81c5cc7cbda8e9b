// A row of the outbox, read: as claimed by the worker and as listed by the command line.
import type { Attempt, Delivery, DeliveryState, Only, Operation, Reason, Unless } from '../../model/delivery.ts';
import { GROUP_HOLD, STORM_HOLD } from '../../model/holds.ts';
import type { NotificationContent } from '../../model/notification.ts';
import type { DeliveryFilter, StoreReader } from '../contract.ts';
import type { DeliveryProgress } from '../../model/planned-delivery.ts';
import type { Database, Value } from './database.ts';
import { placeholderAttempt, placeholderContent } from './corrupt-record.ts';
import { encode, decode, parseJson } from './encoding.ts';
import { UNFINISHED } from './partitions.ts';
import { rowsOf } from './rows-of.ts';

export interface DeliveryRow {
  readonly seq: number;
  readonly id: string;
  readonly notification_id: string;
  readonly event_id: string;
  readonly channel: string;
  readonly thread_key: string;
  readonly operation: Operation;
  readonly revision: number;
  readonly step: number;
  readonly state: DeliveryState;
  readonly scheduled: number;
  readonly attempts: number;
  readonly failures: number;
  readonly deferrals: number;
  readonly unknowns: number;
  readonly due: number;
  readonly unless: Unless;
  readonly only_when: Only;
  readonly held_by: string | null;
  readonly owner: string | null;
  readonly token: string | null;
  readonly receipt: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last: string | null;
  readonly content: string;
}

export const COLUMNS =
  'seq, id, notification_id, event_id, channel, thread_key, operation, revision, step, state, scheduled, attempts, failures, deferrals, unknowns, due, unless, only_when, held_by, owner, token, receipt, created_at, updated_at, last, content';

/** The column `last`. */
export const lastOf = (reason: string | null, error: string | null): string | null =>
  reason === null && error === null ? null : JSON.stringify({ reason, error });

/** The column of a receipt. */
export const receiptOf = (receipt: unknown): string | null =>
  receipt === null || receipt === undefined ? null : JSON.stringify(receipt);

/** Throws when the stored JSON is damaged. */
export function deliveryOf(row: DeliveryRow): Delivery {
  const last = row.last === null ? null : (JSON.parse(row.last) as { reason: Reason | null; error: string | null });
  const content = contentOf(row.content);
  if (content === null) throw new SyntaxError('the stored notification is damaged');
  return {
    id: decode(row.id),
    notificationId: decode(row.notification_id),
    eventId: decode(row.event_id),
    channel: decode(row.channel),
    threadKey: decode(row.thread_key),
    operation: row.operation,
    revision: row.revision,
    step: row.step,
    content,
    state: row.state,
    scheduled: row.scheduled === 1,
    attempts: row.attempts,
    failures: row.failures,
    deferrals: row.deferrals,
    unknowns: row.unknowns,
    due: row.due,
    unless: row.unless,
    only: row.only_when,
    heldBy: row.held_by === null ? null : decode(row.held_by),
    owner: row.owner,
    token: row.token,
    receipt: row.receipt === null ? null : (parseJson<unknown>(row.receipt) ?? null),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastReason: last?.reason ?? null,
    lastError: last?.error ?? null,
  };
}

/** Null where it was damaged on the disk, which may leave JSON that is valid but no notification. */
function contentOf(text: string): NotificationContent | null {
  const content = parseJson<NotificationContent>(text) ?? null; // written from one
  const { title, body, event }: Partial<NotificationContent> = Object(content);
  const isWhole = typeof title === 'string' && typeof body === 'string' && typeof event === 'object' && event !== null;
  return isWhole ? content : null;
}

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

/** As model/holds.ts has it; without the mark of {@link encode}. */
const begins = (name: string): string => `substr(ltrim(held_by, char(1, 34)), 1, ${name.length}) = '${name}'`;
const FOR_DIGEST = `(held_by IS NOT NULL AND NOT ${begins(GROUP_HOLD)} AND NOT ${begins(STORM_HOLD)})`;

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
  if (filter.beforeId !== undefined) add('seq < (SELECT seq FROM deliveries WHERE id = ?)', encode(filter.beforeId));
  if (filter.ids) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids.map(encode)));
  if (filter.eventId !== undefined) add('event_id = ?', encode(filter.eventId));
  if (filter.covers !== undefined)
    add(
      '(event_id = ? OR notification_id IN (SELECT notification_id FROM notification_events WHERE event_id = ?))',
      encode(filter.covers),
      encode(filter.covers),
    );
  if (filter.notificationId !== undefined) add('notification_id = ?', encode(filter.notificationId));
  if (filter.channel !== undefined) add('channel = ?', encode(filter.channel));
  if (filter.heldBy === true) add('held_by IS NOT NULL');
  else if (filter.heldBy !== undefined) add('held_by = ?', encode(filter.heldBy));
  if (filter.heldForDigest !== undefined) add(`${FOR_DIGEST} = ?`, Number(filter.heldForDigest));
  if (filter.scheduled !== undefined) add('scheduled = ?', Number(filter.scheduled));
  if (filter.states) add(`state IN (${marks(filter.states)})`, ...filter.states);
  if (filter.operations) add(`operation IN (${marks(filter.operations)})`, ...filter.operations);
  if (filter.step !== undefined) add('step = ?', filter.step);
  if (filter.kinds) add(`event_id IN (SELECT id FROM events WHERE kind IN (${marks(filter.kinds)}))`, ...filter.kinds);
  if (filter.session !== undefined)
    add('event_id IN (SELECT id FROM events WHERE session = ?)', encode(filter.session));
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
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
type ProgressCells = readonly [
  ...[ProgressRow['notification_id'], ProgressRow['channel'], ProgressRow['operation'], ProgressRow['revision']],
  ...[ProgressRow['step'], ProgressRow['state'], ProgressRow['scheduled'], ProgressRow['held_by']],
  ...[ProgressRow['due'], ProgressRow['unless'], ProgressRow['only_when']],
];

const PROGRESS = `SELECT json_group_array(json_array(notification_id, channel, operation, revision, step, state, scheduled, held_by,
    due, unless, only_when) ORDER BY seq) AS rows
  FROM deliveries
  WHERE notification_id IN (SELECT value FROM json_each(?))`;

function progressOf(cells: ProgressCells): DeliveryProgress {
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

/** What may be read of the outbox. */
export function deliveryReads(
  db: Database,
): Pick<StoreReader, 'deliveries' | 'deliveryProgress' | 'attempts' | 'unfinishedChannels'> {
  return {
    deliveryProgress: async (notificationIds) =>
      notificationIds.length === 0
        ? []
        : rowsOf<ProgressCells>(db, PROGRESS, JSON.stringify(notificationIds.map(encode))).map(progressOf),
    deliveries: async (filter) => {
      const { where, values } = conditions(filter);
      const sql = `SELECT ${COLUMNS} FROM deliveries ${where} ORDER BY seq ${filter.fromOldest ? 'ASC' : 'DESC'} LIMIT ?`;
      const rows = db.all<DeliveryRow>(sql, ...values, filter.limit ?? 1_000);
      return (filter.fromOldest ? rows : rows.reverse()).map(shownDelivery);
    },
    unfinishedChannels: async () =>
      db
        .all<{ channel: string }>(`SELECT DISTINCT channel FROM deliveries WHERE state IN ${UNFINISHED}`)
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

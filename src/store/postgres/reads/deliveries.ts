// What may be read of the outbox: lists for people, progress for decisions, what channels gave back.
import type { Attempt, DeliveryProgress } from '../../../model/delivery/delivery.ts';
import { GROUP_HOLD, STORM_HOLD } from '../../../model/delivery/holds.ts';
import { decode, encode } from '../../encoding.ts';
import type { Outbox } from '../../roles/outbox.ts';
import type { StoreReader } from '../../roles/reader.ts';
import { oneOf } from '../connection.ts';
import type { Context } from '../context.ts';
import { COLUMNS, CONTENT, deliveryOf, type DeliveryRow } from '../outbox/delivery-row.ts';
import { UNFINISHED } from '../outbox/lines.ts';
import type { Reading } from './scope.ts';

export type ProgressRow = Pick<
  DeliveryRow,
  | 'notification'
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

/** Of a row `d`. */
export const PROGRESS =
  'd.notification, d.channel, d.operation, d.revision, d.step, d.state, d.scheduled, d.held_by, d.due, d.unless, d.only_when';

export const progressOf = ({ notification, channel, held_by, only_when, ...same }: ProgressRow): DeliveryProgress => ({
  notificationId: decode(notification),
  channel: decode(channel),
  operation: same.operation,
  revision: same.revision,
  step: same.step,
  state: same.state,
  scheduled: same.scheduled,
  heldBy: held_by === null ? null : decode(held_by),
  due: same.due,
  unless: same.unless,
  only: only_when,
});

/** As model/delivery/holds.ts has it; without the mark that {@link encode} puts before a text. */
const begins = (name: string): string => `starts_with(ltrim(d.held_by, E'\\x01"'), '${name}')`;
const FOR_DIGEST = `(d.held_by IS NOT NULL AND NOT ${begins(GROUP_HOLD)} AND NOT ${begins(STORM_HOLD)})`;
const OF_EVENT = 'SELECT 1 FROM event e WHERE e.org = d.org AND e.machine = d.machine AND e.id = d.event';

/** Lists and progress. */
export function deliveryReads({
  db,
  own,
}: Reading): Pick<
  StoreReader,
  'deliveries' | 'deliveryProgress' | 'sentOpen' | 'attempts' | 'unfinishedChannels' | 'holds'
> {
  return {
    deliveries: async (filter) => {
      const { ids, eventId, covers, notificationId, channel, states, operations, step, kinds, session } = filter;
      const {
        since,
        createdBefore,
        updatedSince,
        heldBy,
        heldForDigest,
        scheduled,
        beforeId,
        fromOldest = false,
      } = filter;
      const { sql, values } = own('d', 'delivery', [
        ids && [`d.id ${oneOf('?')}`, ids.map(encode)],
        eventId !== undefined && ['d.event = ?', encode(eventId)],
        covers !== undefined && [
          '(d.event = ? OR (d.machine, d.notification) IN (SELECT c.machine, c.notification FROM covered c WHERE c.org = d.org AND c.event = ?))',
          ...[encode(covers), encode(covers)],
        ],
        notificationId !== undefined && ['d.notification = ?', encode(notificationId)],
        channel !== undefined && ['d.channel = ?', encode(channel)],
        states && ['d.state = ANY(?::text[])', states],
        operations && ['d.operation = ANY(?::text[])', operations],
        step !== undefined && ['d.step = ?', step],
        kinds && [`EXISTS (${OF_EVENT} AND e.kind = ANY(?::text[]))`, kinds],
        session !== undefined && [`EXISTS (${OF_EVENT} AND e.session = ?)`, encode(session)],
        since !== undefined && ['d.created_at >= ?', since],
        createdBefore !== undefined && ['d.created_at < ?', createdBefore],
        updatedSince !== undefined && ['d.updated_at >= ?', updatedSince],
        heldBy === true && ['d.held_by IS NOT NULL'],
        typeof heldBy === 'string' && ['d.held_by = ?', encode(heldBy)],
        heldForDigest !== undefined && [`${FOR_DIGEST} = ?`, heldForDigest],
        scheduled !== undefined && ['d.scheduled = ?', scheduled],
        beforeId !== undefined && [
          'd.seq < (SELECT b.seq FROM delivery b WHERE b.org = d.org AND b.id = ?)',
          encode(beforeId),
        ],
      ]);
      const chosen = `SELECT d.* FROM delivery d WHERE ${sql} ORDER BY d.seq ${fromOldest ? '' : 'DESC'} LIMIT ${filter.limit ?? 1_000}`;
      return (
        await db.read<DeliveryRow>(`SELECT ${COLUMNS}, ${CONTENT} FROM (${chosen}) d ORDER BY d.seq`, values)
      ).map(deliveryOf);
    },
    deliveryProgress: async (notificationIds) => {
      if (notificationIds.length === 0) return [];
      const { sql, values } = own('d', 'delivery', [[`d.notification ${oneOf('?')}`, notificationIds.map(encode)]]);
      return (await db.read<ProgressRow>(`SELECT ${PROGRESS} FROM delivery d WHERE ${sql} ORDER BY d.seq`, values)).map(
        progressOf,
      );
    },
    sentOpen: async (channel) => {
      const { sql, values } = own('t', 'notification', [
        [`t.state = 'open'`],
        [
          `EXISTS (SELECT 1 FROM delivery d WHERE d.org = t.org AND d.machine = t.machine AND d.notification = t.id AND d.channel = ?
             AND d.operation = 'send' AND d.state = 'sent')`,
          encode(channel),
        ],
      ]);
      return (await db.read(`SELECT 1 FROM notification t WHERE ${sql} LIMIT 1`, values)).length > 0;
    },
    attempts: async (deliveryId) => {
      const { sql, values } = own('d', 'delivery', [['d.id = ?', encode(deliveryId)]]);
      const rows = await db.read<{ attempt_log: readonly string[] }>(
        `SELECT d.attempt_log FROM delivery d WHERE ${sql}`,
        values,
      );
      return rows.flatMap(({ attempt_log }) => attempt_log.map((text) => JSON.parse(text) as Attempt)); // written from one
    },
    unfinishedChannels: async () => {
      const { sql, values } = own('d', 'delivery', [[`d.state IN ${UNFINISHED}`]]);
      return (await db.read<{ channel: string }>(`SELECT DISTINCT d.channel FROM delivery d WHERE ${sql}`, values)).map(
        ({ channel }) => decode(channel),
      );
    },
    holds: async () => {
      const { sql, values } = own('d', 'delivery', [[`d.held_by IS NOT NULL AND d.state = 'pending'`]]);
      const rows = await db.read<{ held_by: string; n: number }>(
        `SELECT d.held_by, count(*) AS n FROM delivery d WHERE ${sql} GROUP BY d.held_by`,
        values,
      );
      return new Map(rows.map(({ held_by, n }) => [decode(held_by), n]));
    },
  };
}

/** What channels gave back, for what changes it. */
export function receiptReads({
  db,
  org,
}: Pick<Context, 'db' | 'org'>): Pick<Outbox, 'latestReceipt' | 'latestThreadReceipt'> {
  const latest = async (sql: string, ...values: readonly unknown[]): Promise<unknown> => {
    const found = await db.read<{ receipt: string }>(sql, [org, ...values]);
    return found.map(({ receipt }) => JSON.parse(receipt) as unknown)[0] ?? null;
  };
  return {
    latestReceipt: ({ notificationId, channel, step, machine = '' }) =>
      latest(
        `SELECT receipt FROM delivery WHERE org = $1 AND machine = $2 AND notification = $3 AND channel = $4 AND step = $5
           AND operation IN ('send', 'update') AND state = 'sent' AND receipt IS NOT NULL ORDER BY revision DESC, seq DESC LIMIT 1`,
        ...[encode(machine), encode(notificationId), encode(channel), step],
      ),
    latestThreadReceipt: (threadKey, channel, machine = '') =>
      latest(
        `SELECT d.receipt FROM notification n CROSS JOIN LATERAL (SELECT receipt, seq FROM delivery WHERE org = $1 AND machine = $2
             AND notification = n.id AND channel = $4 AND operation = 'send' AND state = 'sent' AND receipt IS NOT NULL) d
         WHERE n.org = $1 AND n.machine = $2 AND n.thread = $3 ORDER BY d.seq DESC LIMIT 1`,
        ...[encode(machine), encode(threadKey), encode(channel)],
      ),
  };
}

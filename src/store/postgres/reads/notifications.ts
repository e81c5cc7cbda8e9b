// What may be read of notifications.
import { STORM_HOLD } from '../../../model/delivery/holds.ts';
import type { Notification } from '../../../model/notification/notification.ts';
import { decode, encode } from '../../encoding.ts';
import type { StoreReader } from '../../roles/reader.ts';
import { oneOf } from '../connection.ts';
import type { Reading } from './scope.ts';

export interface NotificationRow {
  readonly rev: number;
  readonly body: string;
}

/** Written from one. */
export const notificationOf = ({ rev, body }: NotificationRow): Notification => ({
  ...(JSON.parse(body) as Notification),
  version: rev,
});

/** A first send: of which channel, and when it was planned. */
export interface SendRow {
  readonly channel: string;
  readonly created_at: number;
}

/** Those of a thread since then, of its latest notifications: each an expression. */
export const plannedSendsSql = (
  org: number,
  of: Readonly<Record<'machine' | 'thread' | 'since' | 'most', string>>,
): string =>
  `SELECT d.channel, d.created_at FROM (SELECT id FROM notification WHERE org = ${org} AND machine = ${of.machine} AND thread = ${of.thread}
      ORDER BY row DESC LIMIT ${of.most}) n
    CROSS JOIN LATERAL (SELECT channel, created_at FROM delivery WHERE org = ${org} AND machine = ${of.machine} AND notification = n.id
      AND step = 0 AND operation = 'send' AND created_at > ${of.since} AND state <> 'cancelled'
      AND (held_by IS NULL OR starts_with(held_by, '${STORM_HOLD}'))) d`;

/** By channel, in the order in which they were planned. */
export function sendsByChannel(rows: readonly SendRow[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { channel, created_at: at } of [...rows].sort((a, b) => a.created_at - b.created_at)) {
    const name = decode(channel);
    found.set(name, [...(found.get(name) ?? []), at]);
  }
  return found;
}

/** The reads. */
export function notificationReads({
  db,
  org,
  own,
  machine,
}: Reading): Pick<StoreReader, 'notification' | 'notifications' | 'plannedSends'> {
  return {
    notification: async (id) => {
      const { sql, values } = own('t', 'notification', [['t.id = ?', encode(id)]]);
      const rows = await db.read<NotificationRow>(
        `SELECT t.rev, t.body FROM notification t WHERE ${sql} ORDER BY t.machine LIMIT 1`,
        values,
      );
      return rows.map(notificationOf)[0] ?? null;
    },
    notifications: async ({ states, threadKey, kinds, ids, covers, limit = 1_000 }) => {
      const { sql, values } = own('t', 'notification', [
        states && ['t.state = ANY(?::text[])', states],
        threadKey !== undefined && ['t.thread = ?', encode(threadKey)],
        kinds && ['t.kind = ANY(?::text[])', kinds],
        ids && [`t.id ${oneOf('?')}`, ids.map(encode)],
        covers && [
          '(t.machine, t.id) IN (SELECT c.machine, c.notification FROM covered c WHERE c.org = t.org AND c.event = ANY(?::text[]))',
          covers.map(encode),
        ],
      ]);
      const latest = `SELECT t.row, t.rev, t.body FROM notification t WHERE ${sql} ORDER BY t.row DESC LIMIT ${limit}`;
      return (await db.read<NotificationRow>(`SELECT rev, body FROM (${latest}) latest ORDER BY row`, values)).map(
        notificationOf,
      );
    },
    plannedSends: async (threadKey, { since, least, most }) => {
      const of = { machine: '$1', thread: '$2', since: '$3', most: '$4' };
      const enough = `EXISTS (SELECT 1 FROM notification WHERE org = ${org} AND machine = $1 AND thread = $2 OFFSET $5::bigint)`;
      // A thread is one machine's.
      const values = [encode(machine ?? ''), encode(threadKey), since, most, Math.max(0, least - 1)];
      return sendsByChannel(
        await db.read<SendRow>(`SELECT * FROM (${plannedSendsSql(org, of)}) s WHERE ${enough}`, values),
      );
    },
  };
}

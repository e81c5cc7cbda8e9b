// How many there are of each, and what begins with a text.
import { DELIVERY_STATES, type DeliveryState } from '../../../model/delivery/delivery.ts';
import { NOTIFICATION_STATES, type NotificationState } from '../../../model/notification/notification.ts';
import { decode } from '../../encoding.ts';
import type { Identified } from '../../records.ts';
import type { StoreReader } from '../../roles/reader.ts';
import type { Reading } from './scope.ts';

const WAITING: ReadonlySet<DeliveryState> = new Set(['pending', 'leased', 'paused']);
const TABLES = [
  'event',
  'notification',
  'question',
  'delivery',
  'session',
] as const satisfies readonly Identified['what'][];

/** The reads. A hub decides what it is handed at once: nothing is undecided. */
export function countReads({ db, own }: Reading): Pick<StoreReader, 'counts' | 'beginning' | 'undecided' | 'isBehind'> {
  const count = async (table: (typeof TABLES)[number], where: string): Promise<number> => {
    const { sql, values } = own('t', table, [[where]]);
    const [row] = await db.read<{ n: number }>(`SELECT count(*) AS n FROM ${table} t WHERE ${sql}`, values);
    return row?.n ?? 0;
  };
  return {
    undecided: async () => 0,
    isBehind: async () => false,
    counts: async () => {
      const ofDeliveries = own('t', 'delivery');
      const ofNotifications = own('t', 'notification');
      const [events, openQuestions, rows, states, sizes] = await Promise.all([
        count('event', 'true'),
        count('question', `t.state = 'open'`),
        db.read<{ state: DeliveryState; channel: string; n: number }>(
          `SELECT t.state, t.channel, count(*) AS n FROM delivery t WHERE ${ofDeliveries.sql} GROUP BY t.state, t.channel`,
          ofDeliveries.values,
        ),
        db.read<{ state: NotificationState; n: number }>(
          `SELECT t.state, count(*) AS n FROM notification t WHERE ${ofNotifications.sql} GROUP BY t.state`,
          ofNotifications.values,
        ),
        db.read<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes'),
      ]);
      const deliveries = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as Record<
        DeliveryState,
        number
      >; // an entry each
      const waiting = new Map<string, number>();
      for (const { state, channel, n } of rows) {
        deliveries[state] += n;
        if (WAITING.has(state)) waiting.set(decode(channel), (waiting.get(decode(channel)) ?? 0) + n);
      }
      const found = new Map(states.map(({ state, n }) => [state, n]));
      const notifications = Object.fromEntries(NOTIFICATION_STATES.map((state) => [state, found.get(state) ?? 0]));
      return {
        events,
        undecided: 0,
        notifications: notifications as Record<NotificationState, number>, // an entry each
        openQuestions,
        deliveries,
        waiting,
        bytes: sizes[0]?.bytes ?? 0,
      };
    },
    beginning: async (prefix, limit) => {
      const found = await Promise.all(
        TABLES.map(async (table) => {
          const { sql, values } = own('t', table, [[`t.id LIKE ? ESCAPE '~'`, `${prefix.replace(/[%_~]/g, '~$&')}%`]]);
          const rows = await db.read<{ id: string }>(
            `SELECT DISTINCT t.id FROM ${table} t WHERE ${sql} ORDER BY 1 LIMIT ${limit}`,
            values,
          );
          return rows.map(({ id }) => ({ what: table, id: decode(id) }));
        }),
      );
      return found.flat();
    },
  };
}

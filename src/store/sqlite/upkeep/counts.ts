// How many there are of each, and how much room they take.
import type { DeliveryState } from '../../../model/delivery/delivery.ts';
import { DELIVERY_STATES } from '../../../model/delivery/delivery.ts';
import type { Counts } from '../../contract.ts';
import type { Database } from '../engine/database.ts';
import { decode } from '../../encoding.ts';
import { countNotifications } from '../notifications.ts';

/** The only value of a row. */
export const number = (db: Database, sql: string): number => Number(Object.values(db.get(sql) ?? {})[0] ?? 0);

/** Bytes in use, free pages not counted. */
export const used = (db: Database): number =>
  (number(db, 'PRAGMA page_count') - number(db, 'PRAGMA freelist_count')) * number(db, 'PRAGMA page_size');

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

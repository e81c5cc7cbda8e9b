// Records how an attempt ended, by whoever holds the lease.
import type { Attempt } from '../../model/delivery/delivery.ts';
import { ATTEMPTS_KEPT, type Settled, type Settlement, type Store } from '../contract.ts';
import type { WriteContext } from './context.ts';
import type { Database } from './database.ts';
import { lastOf, receiptOf } from './delivery-row.ts';
import { encode, parseJson } from './encoding.ts';
import { isUnfinished, type Line, markHead, UNFINISHED } from './partitions.ts';

/** Whether its line goes on with another. */
const FOLLOWED = `EXISTS (SELECT 1 FROM deliveries n WHERE n.channel = deliveries.channel AND n.thread_key = deliveries.thread_key
  AND n.scheduled = 0 AND n.state IN ${UNFINISHED} AND n.seq <> deliveries.seq) AS follows`;

function settle({ db, changes, now }: WriteContext, settlement: Settlement): Settled {
  const { deliveryId, token, attempt, state, due, lastReason, lastError, counters, receipt } = settlement;
  const id = encode(deliveryId);
  const at = attempt === null ? due : attempt.at + attempt.ms;
  const row = db.get<Line & { readonly follows: number }>(
    `UPDATE deliveries SET state = ?, due = ?, updated_at = ?, last = ?, attempts = max(attempts, ?), head = head * ?,
       failures = ?, deferrals = ?, unknowns = ?, receipt = coalesce(?, receipt), owner = NULL, token = NULL
     WHERE id = ? AND state = 'leased' AND token = ? RETURNING channel, thread_key, ${FOLLOWED}`,
    state,
    due,
    attempt === null ? now() : attempt.at + attempt.ms,
    lastOf(lastReason, lastError),
    attempt?.number ?? 0,
    isUnfinished(state) ? 1 : 0,
    counters.failures,
    counters.deferrals,
    counters.unknowns,
    receiptOf(receipt),
    id,
    token,
  );
  if (!row) return 'gone';
  if (attempt !== null) addAttempt(db, id, attempt);
  if (!isUnfinished(state) && row.follows > 0) markHead(db, row, at);
  changes.note('delivery', deliveryId);
  return row.follows > 0 ? 'followed' : 'recorded';
}

function addAttempt(db: Database, id: string, attempt: Attempt): void {
  db.run(
    `INSERT INTO attempts (delivery_id, number, attempt) VALUES (?, ?, ?)
     ON CONFLICT (delivery_id, number) DO UPDATE SET attempt = excluded.attempt`,
    id,
    attempt.number,
    JSON.stringify(attempt),
  );
  if (attempt.number > ATTEMPTS_KEPT)
    db.run('DELETE FROM attempts WHERE delivery_id = ? AND number <= ?', id, attempt.number - ATTEMPTS_KEPT);
}

/** Settling, and what channels gave back. */
export function settling(context: WriteContext): Pick<Store, 'settle' | 'latestReceipt' | 'latestThreadReceipt'> {
  const { db, writer } = context;
  return {
    settle: (settlements) => writer.write(() => settlements.map((settlement) => settle(context, settlement))),
    latestReceipt: async ({ notificationId, channel, step }) => {
      const row = db.get<{ receipt: string }>(
        `SELECT receipt FROM deliveries
         WHERE notification_id = ? AND channel = ? AND step = ? AND operation IN ('send', 'update')
           AND state = 'sent' AND receipt IS NOT NULL
         ORDER BY revision DESC, seq DESC LIMIT 1`,
        encode(notificationId),
        encode(channel),
        step,
      );
      return row ? (parseJson<unknown>(row.receipt) ?? null) : null;
    },
    latestThreadReceipt: async (threadKey, channel) => {
      // By the thread's notifications, which are few and have an index; the outbox is long.
      const row = db.get<{ receipt: string }>(
        `SELECT d.receipt FROM notifications n JOIN deliveries d ON d.notification_id = n.id
         WHERE n.thread_key = ? AND d.channel = ? AND d.operation = 'send' AND +d.state = 'sent' AND d.receipt IS NOT NULL
         ORDER BY d.seq DESC LIMIT 1`,
        encode(threadKey),
        encode(channel),
      );
      return row ? (parseJson<unknown>(row.receipt) ?? null) : null;
    },
  };
}

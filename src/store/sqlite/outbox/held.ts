// What a hold keeps back: sent after all, held by something else, or due at another time.
import { WAITS } from '../../../model/delivery/holds.ts';
import type { Rehold } from '../../../model/delivery/delivery.ts';
import type { Store } from '../../contract.ts';
import type { WriteContext } from '../engine/context.ts';
import { decode, encode } from '../../encoding.ts';
import { type Line, markHead } from './partitions.ts';
import { insertTimer } from '../timers.ts';

/** Deliveries held in one transaction: short enough that no event waits for it. */
const BATCH = 500;

/** What a decision holds by another name, or lets go. */
export function reholdDelivery({ db, changes }: WriteContext, { id, heldBy, due }: Rehold, now: number): void {
  const moved = db.run(
    `UPDATE deliveries SET held_by = ?, due = ?, updated_at = ? WHERE id = ? AND held_by IS NOT NULL AND state = 'pending'`,
    heldBy === null ? null : encode(heldBy),
    due,
    now,
    encode(id),
  );
  if (moved > 0) changes.note('delivery', id);
}

/** The writes. */
export function holding({
  db,
  writer,
  changes,
}: WriteContext): Pick<Store, 'releaseHeld' | 'judgeAgain' | 'holdBacklog'> {
  return {
    releaseHeld: (ids, now) =>
      writer.write(() =>
        ids.reduce(
          (sum, id) =>
            sum +
            db.run(
              `UPDATE deliveries SET held_by = NULL, unless = 'none', only_when = 'always', due = ?1, updated_at = ?1
               WHERE id = ?2 AND held_by IS NOT NULL AND state = 'pending'`,
              now,
              encode(id),
            ),
          0,
        ),
      ),
    judgeAgain: (channel, now) =>
      writer.write(() =>
        db.run(
          `UPDATE deliveries INDEXED BY deliveries_scheduled SET due = ?1, updated_at = ?1
           WHERE channel = ?2 AND scheduled = 1 AND held_by IS NULL AND due > ?1 AND state = 'pending'
             AND only_when <> 'always' AND attempts = 0 AND last LIKE ?3`,
          now,
          encode(channel),
          `%"error":"${WAITS}%`,
        ),
      ),
    holdBacklog: async ({ channel, createdBefore, few, hold }, timer, now) => {
      const of = `channel = ?1 AND state = 'paused' AND operation = 'send' AND scheduled = 0 AND created_at < ?2`;
      const values = [encode(channel), createdBefore] as const;
      const beyond = db.all(`SELECT 1 FROM deliveries WHERE ${of} LIMIT ?3`, ...values, few + 1);
      let total = 0;
      for (let moved = beyond.length > few ? BATCH : 0; moved === BATCH; total += moved)
        moved = await writer.write(() => {
          const rows = db.all<Line & { readonly id: string }>(
            `UPDATE deliveries SET state = 'pending', scheduled = 1, head = 0, held_by = ?3, due = ?4, updated_at = ?5
             WHERE seq IN (SELECT seq FROM deliveries WHERE ${of} ORDER BY seq LIMIT ${BATCH})
             RETURNING id, channel, thread_key`,
            ...values,
            encode(hold),
            timer.due,
            now,
          );
          for (const { id } of rows) changes.note('delivery', decode(id));
          for (const line of new Map(rows.map((row) => [row.thread_key, row])).values()) markHead(db, line, now);
          insertTimer(db, timer, now);
          return rows.length;
        });
      return total;
    },
  };
}

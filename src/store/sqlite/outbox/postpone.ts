// Puts off what is due and must not go out now: it leaves its line, and comes back when it is due again.
import type { Postponement, Store } from '../../contract.ts';
import type { WriteContext } from '../engine/context.ts';
import { lastOf } from './delivery-row.ts';
import { encode } from '../../encoding.ts';
import { type Line, markHead } from './partitions.ts';
import { insertTimer } from '../timers.ts';

interface Postponed extends Line {
  readonly step: number;
  readonly notification_id: string;
}

function postpone({ db, changes }: WriteContext, deliveryId: string, token: string, to: Postponement): boolean {
  const { due, heldBy, note, timer, now, shiftLater } = to;
  const row = db.get<Postponed>(
    `UPDATE deliveries SET state = 'pending', scheduled = 1, head = 0, due = ?, held_by = ?, last = ?, updated_at = ?,
       owner = NULL, token = NULL
     WHERE id = ? AND state = 'leased' AND token = ? RETURNING step, notification_id, channel, thread_key`,
    due,
    heldBy === null ? null : encode(heldBy),
    lastOf(null, note),
    now,
    encode(deliveryId),
    token,
  );
  if (!row) return false;
  markHead(db, row, now);
  if (timer !== null) insertTimer(db, timer, now);
  // One of several first sends that wait moves them.
  if (row.step === 0 && shiftLater > 0)
    db.run(
      `UPDATE deliveries INDEXED BY deliveries_notification SET due = due + ?1
       WHERE notification_id = ?2 AND step > 0 AND state = 'pending' AND scheduled = 1
         AND held_by IS NULL AND NOT EXISTS (
           SELECT 1 FROM deliveries f WHERE f.notification_id = ?2 AND f.step = 0 AND f.operation = 'send'
             AND (f.state = 'sent' OR (f.state IN ('pending', 'leased') AND f.held_by IS NULL AND f.id < ?3)))`,
      shiftLater,
      row.notification_id,
      encode(deliveryId),
    );
  changes.note('delivery', deliveryId);
  return true;
}

/** The write. */
export function postponing(context: WriteContext): Pick<Store, 'postpone'> {
  return { postpone: (id, token, to) => context.writer.write(() => postpone(context, id, token, to)) };
}

// What a hold keeps back: sent after all, held by something else, or due at another time.
import { WAITS } from '../../model/holds.ts';
import type { Store } from '../contract.ts';
import type { WriteContext } from './context.ts';
import { encode } from './encoding.ts';

/** The writes. */
export function holding({
  db,
  writer,
}: WriteContext): Pick<Store, 'releaseHeld' | 'judgeAgain' | 'holdDelivery' | 'moveHeld'> {
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
          ...[now, encode(channel), `%"error":"${WAITS}%`],
        ),
      ),
    holdDelivery: (id, heldBy, due, now) =>
      writer.write(() => {
        db.run(
          `UPDATE deliveries SET held_by = ?, due = ?, updated_at = ?
           WHERE id = ? AND held_by IS NOT NULL AND state = 'pending'`,
          ...[encode(heldBy), due, now, encode(id)],
        );
      }),
    moveHeld: ({ hold, channel }, due, now) =>
      writer.write(() =>
        db.run(
          `UPDATE deliveries SET due = ?1, updated_at = ?2
           WHERE held_by = ?3 AND channel = ?4 AND state = 'pending' AND due <> ?1`,
          ...[due, now, encode(hold), encode(channel)],
        ),
      ),
  };
}

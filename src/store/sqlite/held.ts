// What a hold keeps back: sent after all, held by something else, or due at another time.
import type { Store } from '../contract.ts';
import type { WriteContext } from './context.ts';
import { encode } from './encoding.ts';

/** The writes. */
export function holding({ db, writer }: WriteContext): Pick<Store, 'releaseHeld' | 'holdDelivery' | 'moveHeld'> {
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

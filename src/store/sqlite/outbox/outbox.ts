// The outbox: deliveries, their leases and their attempts.
import { type Store, TIMER_LEASE_MS } from '../../contract.ts';
import { claims, settling } from './claims.ts';
import type { WriteContext } from '../engine/context.ts';
import { holding } from './held.ts';
import { UNFINISHED } from './partitions.ts';
import { postponing } from './postpone.ts';
import { reclaiming } from './reclaim.ts';
import { transitions } from './transition.ts';

type Outbox = ReturnType<typeof claims> &
  ReturnType<typeof settling> &
  ReturnType<typeof postponing> &
  ReturnType<typeof holding> &
  ReturnType<typeof transitions> &
  ReturnType<typeof reclaiming> &
  Pick<Store, 'compensateClock'>;

/** The outbox's part of the store. */
export function outbox(context: WriteContext): Outbox {
  const { db, writer } = context;
  return {
    ...claims(context),
    ...settling(context),
    ...postponing(context),
    ...holding(context),
    ...transitions(context),
    ...reclaiming(context),
    compensateClock: (now) =>
      writer.write(
        () =>
          db.run(
            `UPDATE deliveries INDEXED BY deliveries_touched SET due = ?1 + (due - updated_at), updated_at = ?1
             WHERE state IN ${UNFINISHED} AND updated_at > ?1 AND due > ?1`,
            now,
          ) +
          db.run('UPDATE timers SET due = ?1 + (due - set_at), set_at = ?1 WHERE set_at > ?1 AND due > ?1', now) +
          db.run(
            `UPDATE timers SET lease_until = ?1 + ${TIMER_LEASE_MS} WHERE token IS NOT NULL AND lease_until > ?1 + ${TIMER_LEASE_MS}`,
            now,
          ),
      ),
  };
}

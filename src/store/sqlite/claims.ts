// Leases of deliveries: who may send one, until when, and how leases come back.
import type { LeasedDelivery } from '../../model/delivery.ts';
import type { ClaimOptions, Store } from '../contract.ts';
import { changeState } from './set-delivery-state.ts';
import { NEW_TOKEN, type WriteContext } from './context.ts';
import { COLUMNS, type DeliveryRow, deliveryOf, lastOf } from './delivery-row.ts';
import { encode } from './encoding.ts';
import { enterLines } from './partitions.ts';

const present = (delivery: LeasedDelivery | null): delivery is LeasedDelivery => delivery !== null;

/** Ids as one value. */
const idList = (ids: readonly string[] = []): string => JSON.stringify(ids.map(encode));

function lease(
  context: WriteContext,
  seq: number,
  { now, leaseMs }: Omit<ClaimOptions, 'limit'>,
): LeasedDelivery | null {
  const { db, owner } = context;
  const row = db.get<DeliveryRow & { readonly token: string }>(
    `UPDATE deliveries SET state = 'leased', due = ?, updated_at = ?, owner = ?, token = ${NEW_TOKEN} WHERE seq = ? RETURNING ${COLUMNS}`,
    now + leaseMs,
    now,
    owner,
    seq,
  );
  if (!row) return null;
  try {
    return { ...deliveryOf(row), token: row.token };
  } catch {
    // Its text was damaged on the disk: given up where people see it, so that its line goes on.
    changeState(context, 'dead', now, 'seq = ?3', [seq], lastOf('client', 'the stored notification is damaged'));
    return null;
  }
}

/** Claiming and giving back. */
export function claims(context: WriteContext): Pick<Store, 'claim' | 'claimPaused' | 'release' | 'nextDue'> {
  const { db, writer } = context;
  return {
    claim: (name, claim) =>
      writer.write(() => {
        const channel = encode(name);
        const operations = claim.operations ? JSON.stringify(claim.operations) : null;
        enterLines(db, channel, claim.now);
        const due = db.all<{ seq: number }>(
          `SELECT seq FROM deliveries
           WHERE channel = ? AND head = 1 AND state IN ('pending', 'leased') AND due <= ?
             AND (? IS NULL OR operation IN (SELECT value FROM json_each(?)))
             AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY due, seq LIMIT ?`,
          ...[channel, claim.now, operations, operations, idList(claim.except)],
          claim.limit,
        );
        return due.map(({ seq }) => lease(context, seq, claim)).filter(present);
      }),
    claimPaused: (channel, dueBy, claim) =>
      writer.write(() => {
        const row = db.get<{ seq: number }>(
          `SELECT seq FROM deliveries
           WHERE channel = ? AND head = 1 AND state = 'paused' AND due <= ? ORDER BY attempts, due, seq LIMIT 1`,
          encode(channel),
          dueBy,
        );
        return row ? lease(context, row.seq, claim) : null;
      }),
    release: (leases, now) =>
      writer.write(() => {
        const where = `state = 'leased' AND id = ?3 AND token = ?4`;
        return leases.reduce(
          (sum, { id, token }) => sum + changeState(context, 'pending', now, where, [encode(id), token]),
          0,
        );
      }),
    nextDue: async (channel, except) =>
      db.get<{ due: number | null }>(
        `SELECT min(due) AS due FROM (
           SELECT min(due) AS due FROM deliveries WHERE channel = ?1 AND head = 1 AND state IN ('pending', 'leased')
             AND id NOT IN (SELECT value FROM json_each(?2))
           UNION ALL SELECT min(due) FROM deliveries WHERE channel = ?1 AND scheduled = 1 AND held_by IS NULL AND state = 'pending')`,
        ...[encode(channel), idList(except)],
      )?.due ?? null,
  };
}

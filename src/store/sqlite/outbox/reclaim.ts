// Leases of processes that have ended come back before they run out.
import type { Store } from '../../contract.ts';
import { changeState } from './set-delivery-state.ts';
import type { WriteContext } from '../engine/context.ts';
import { encode } from '../../encoding.ts';
import { hasEnded } from '../engine/lease-owner.ts';

/** Owners of a table's leases that have ended. Asked of each owner once. */
function endedOwners({ db }: WriteContext, table: string, leased: string): readonly string[] {
  const rows = db.all<{ owner: string }>(`SELECT owner FROM ${table} WHERE ${leased} AND owner IS NOT NULL`);
  return [...new Set(rows.map(({ owner }) => owner))].filter(hasEnded);
}

/** Taking leases back. */
export function reclaiming(context: WriteContext): Pick<Store, 'reclaimLeases'> {
  const { db, writer, owner } = context;
  const deliveries = (now: number, channel: string | undefined): number => {
    const owners = endedOwners(context, 'deliveries', `state = 'leased'`);
    const freed = channel === undefined ? owners : [...owners, owner];
    const where = `state = 'leased' AND (owner IS NULL OR due <= ?2 OR owner IN (SELECT value FROM json_each(?3)))`;
    const values = [JSON.stringify(freed)];
    return channel === undefined
      ? changeState(context, 'pending', now, where, values)
      : changeState(context, 'pending', now, `${where} AND channel = ?4`, [...values, encode(channel)]);
  };
  const timers = (): number =>
    endedOwners(context, 'timers', 'token IS NOT NULL').reduce(
      (sum, ended) =>
        sum +
        db.run(
          'UPDATE timers SET owner = NULL, token = NULL, lease_until = NULL WHERE token IS NOT NULL AND owner = ?',
          ended,
        ),
      0,
    );
  return {
    reclaimLeases: ({ now, channel }) =>
      writer.write(() => deliveries(now, channel) + (channel === undefined ? timers() : 0)),
  };
}

// What was planned for later takes its place at the end of its line once it is due.
import { setting } from '../connection.ts';
import type { Context } from '../context.ts';
import { lockedIds, lockRows, markHeads, only } from './lines.ts';

/** Entered in one transaction: short enough that nobody waits for it. */
const BATCH = 500;

/** Those of a channel, in the form of its column; how many they were. */
export async function enterLines(
  { db, org }: Pick<Context, 'db' | 'org'>,
  channel: string,
  now: number,
): Promise<number> {
  const isDue = `org = ${org} AND channel = ${setting('channel')} AND scheduled AND held_by IS NULL AND state = 'pending'
    AND due <= ${setting('now')}::bigint`;
  let total = 0;
  for (let entered = BATCH; entered === BATCH; total += entered) {
    const found = await db.write({ channel, now }, [
      lockRows(
        org,
        `SELECT id, channel, machine, thread FROM delivery WHERE ${isDue} ORDER BY due, seq LIMIT ${BATCH}`,
      ),
      `WITH due AS MATERIALIZED (SELECT id, nextval('delivery_numbers') AS seq FROM
           (SELECT id FROM delivery WHERE org = ${org} AND id = ANY(${lockedIds()}) AND ${only(isDue)} ORDER BY due, seq FOR UPDATE) d)
       UPDATE delivery d SET scheduled = false, seq = due.seq FROM due WHERE d.org = ${org} AND d.id = due.id RETURNING d.id`,
      markHeads(org, `${setting('now')}::bigint`),
    ]);
    entered = found[1]?.length ?? 0;
  }
  return total;
}

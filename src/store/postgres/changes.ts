// What changed, for those who follow. The numbers of rows are no order of commits; so a cursor is the horizon itself: the oldest transaction
// that was still open when it was read. All below it is there, and nothing below it is still to come.
import { randomBytes } from 'node:crypto';
import { encode, decode } from '../encoding.ts';
import type { Change, Changes } from '../records.ts';
import type { ChangeFeed, ChangeReader } from '../roles/changes.ts';
import type { Context } from './context.ts';
import type { Statement } from './connection.ts';

/** Notes rows as changed, within the statement that changes them; `rows`: a query of their `machine` and `id`, in the form of the columns. */
export const noted = (org: number, type: Change['type'], rows: string): Statement =>
  `INSERT INTO change (org, at, type, machine, id)
   SELECT ${org}, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, '${type}', machine, id FROM (${rows}) noted_rows`;

/** `EPOCH:XID`: what is of transactions from this one on was not read yet. */
const CURSOR = /^([0-9a-f]{16}):(\d{1,18})$/;

/** The row that a dump brought back is none: it was written by another transaction than the one that it names. */
const FEED = `SELECT epoch, forgotten::text::bigint AS forgotten FROM feed
  WHERE org = $1 AND made::text::bigint % 4294967296 = xmin::text::bigint`;
const HORIZON = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

interface Read {
  readonly epoch: string | null;
  readonly forgotten: number;
  readonly horizon: number;
  readonly xid: number | null;
  readonly at: number;
  readonly type: Change['type'];
  readonly machine: string;
  readonly id: string;
}

/**
 * From $2 on and below the horizon, $3 rows and what else the last one's transaction changed: a cursor stands between transactions, and
 * one of them changes some hundreds of rows at most. One row without a change where there is none.
 */
const SINCE = `WITH feed_row AS (${FEED}),
  last AS (SELECT xid FROM change WHERE org = $1 AND xid >= $2::text::xid8 AND xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY xid, n OFFSET greatest($3::bigint - 1, 0) LIMIT 1),
  found AS (SELECT xid, n, at, type, machine, id FROM change
    WHERE $3::bigint > 0 AND org = $1 AND xid >= $2::text::xid8 AND xid < pg_snapshot_xmin(pg_current_snapshot())
      AND xid <= coalesce((SELECT xid FROM last), '18446744073709551615'::xid8))
  SELECT f.epoch, coalesce(f.forgotten, 0) AS forgotten, ${HORIZON} AS horizon, c.xid::text::bigint AS xid, c.at, c.type, c.machine, c.id
  FROM (SELECT 1) one LEFT JOIN feed_row f ON true LEFT JOIN found c ON true ORDER BY c.xid, c.n`;

/** Whoever finds no feed begins one; of several the first. */
const BEGIN = `INSERT INTO feed (org, epoch, forgotten, made) VALUES ($1, $2, '0', pg_current_xact_id())
  ON CONFLICT (org) DO UPDATE SET epoch = excluded.epoch, forgotten = excluded.forgotten, made = excluded.made
  WHERE feed.made::text::bigint % 4294967296 <> feed.xmin::text::bigint`;

/** The read of changes. */
export function changeReads({ db, org }: Pick<Context, 'db' | 'org'>): ChangeReader {
  const read = async (from: string, limit: number): Promise<readonly Read[]> => {
    const found = await db.read<Read>(SINCE, [org, from, limit]);
    if (found[0]?.epoch != null) return found;
    await db.read(BEGIN, [org, randomBytes(8).toString('hex')]);
    return db.read<Read>(SINCE, [org, from, limit]);
  };
  return {
    isCursor: (text) => CURSOR.test(text),
    changesSince: async (cursor, limit): Promise<Changes> => {
      const [, epoch, since = '0'] = CURSOR.exec(cursor ?? '') ?? [];
      const rows = await read(since, epoch === undefined ? 0 : limit);
      const [first] = rows;
      if (first === undefined) throw new Error('the feed says nothing'); // the statement has a row at least
      const { horizon, forgotten } = first;
      const at = (xid: number): string => `${first.epoch}:${xid}`;
      if (cursor === null) return { changes: [], reset: false, cursor: at(horizon) };
      if (epoch !== first.epoch || Number(since) > horizon || Number(since) <= forgotten)
        return { changes: [], reset: true, cursor: at(horizon) };
      const changes = rows.flatMap(({ xid, at: when, type, machine, id }) =>
        xid === null ? [] : [{ at: when, type, id: decode(id), machine: decode(machine) }],
      );
      // With fewer than were asked for there are no more below the horizon.
      const last = rows.at(-1)?.xid;
      return { changes, reset: false, cursor: at(changes.length < limit || last == null ? horizon : last + 1) };
    },
  };
}

/** Where whoever follows within this process listens. */
export interface Listeners {
  readonly committed: () => void;
  readonly watchChanges: ChangeFeed['watchChanges'];
}

/** Called after a commit, and no transaction waits for them. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    committed: () => {
      for (const listener of listeners) listener();
    },
    watchChanges: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Rows that are said to have changed; and what is too old to be kept, Unix ms: returns how many were forgotten. */
export function changeWrites({ db, org, committed }: Context): Pick<ChangeFeed, 'touch'> & {
  readonly forgetChanges: (before: number) => Promise<number>;
} {
  return {
    touch: async (rows) => {
      const list = rows.map(({ type, id, machine = '' }) => ({ type, id: encode(id), machine: encode(machine) }));
      await db.read(
        `INSERT INTO change (org, at, type, machine, id)
         SELECT $1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, type, machine, id
         FROM json_to_recordset($2::json) AS t(type text, machine text, id text)`,
        [org, JSON.stringify(list)],
      );
      committed();
    },
    forgetChanges: async (before) => {
      const [gone] = await db.read<{ n: number }>(
        `WITH gone AS (DELETE FROM change WHERE org = $1 AND at < $2 RETURNING xid),
           marked AS (UPDATE feed SET forgotten = greatest(forgotten, (SELECT max(xid) FROM gone)), made = pg_current_xact_id()
             WHERE org = $1 AND EXISTS (SELECT 1 FROM gone))
         SELECT count(*) AS n FROM gone`,
        [org, before],
      );
      return gone?.n ?? 0;
    },
  };
}

// Timers: rows with a due time, claimed by anybody, each by one.
import type { LeasedTimer, Timer } from '../../model/event/verdict.ts';
import { decode, encode } from '../encoding.ts';
import type { StoreReader } from '../roles/reader.ts';
import type { Timers } from '../roles/timers.ts';
import { given, oneOf, setting, type Statement } from './connection.ts';
import { NEW_TOKEN, type Context } from './context.ts';

/** As a transaction is given it, under the name `timers`. */
export const timerRow = (timer: Timer) => ({ id: encode(timer.id), due: timer.due, body: JSON.stringify(timer) });

/** Sorted, as all that is written over: two who write the same rows in another order would wait for each other. */
const upsert = (org: number, rows: string, now: string): string => `INSERT INTO timer (org, id, due, set_at, body)
  SELECT ${org}, id, due, ${now}, body FROM ${rows} ORDER BY id
  ON CONFLICT (org, id) DO UPDATE SET due = excluded.due, set_at = excluded.set_at, body = excluded.body,
    owner = NULL, token = NULL, lease_until = NULL`;

/** Adds the timers that the transaction was given, or replaces those of their ids, whoever handles them; they are set at its `now`, or as they say. */
export const setTimers = (org: number, where = 'true', name = 'timers', now = `${setting('now')}::bigint`): Statement =>
  upsert(org, `${given(name, 'n int, at bigint, id text, due bigint, body text')} WHERE ${where}`, now);

/** Clears those of which the transaction was given the ids. */
export const clearTimers = (
  org: number,
  name: string,
  where: string,
): Statement => `DELETE FROM timer WHERE org = ${org} AND id = ANY(ARRAY(
    SELECT t.id FROM timer t WHERE t.org = ${org} AND t.id = ANY(ARRAY(SELECT id FROM ${given(name, 'n int, id text')} WHERE ${where}))
    ORDER BY t.id FOR UPDATE))`;

export interface TimerRow {
  readonly id: string;
  readonly due: number;
  readonly body: string;
}

/** Written from a Timer. */
export const timerOf = ({ due, body }: TimerRow): Timer => ({ ...(JSON.parse(body) as Timer), due });

/** What may be read of timers. */
export function timerReads({ db, org }: Pick<Context, 'db' | 'org'>): Pick<StoreReader, 'timers'> {
  return {
    timers: async (ids) => {
      const sql = `SELECT id, due, body FROM timer WHERE org = $1 AND id ${oneOf('$2')}`;
      return ids.length === 0 ? [] : (await db.read<TimerRow>(sql, [org, ids.map(encode)])).map(timerOf);
    },
  };
}

const FREE = 'coalesce(lease_until, $2) <= $2 AND id <> ALL($3::text[])';
/** Leases due ones that nobody handles, and says when others can be claimed: they are due then, or their leases end. */
const CLAIM = `WITH picked AS MATERIALIZED (SELECT id FROM timer WHERE org = $1 AND due <= $2 AND ${FREE}
    ORDER BY due, set_at, id LIMIT $4 FOR UPDATE SKIP LOCKED),
  leased AS (UPDATE timer t SET owner = $5, token = ${NEW_TOKEN}, lease_until = $2 + $6::bigint
    WHERE t.org = $1 AND t.id = ANY(ARRAY(SELECT id FROM picked)) RETURNING t.id, t.due, t.set_at, t.body, t.token),
  next AS (SELECT min(at) AS at FROM (
      SELECT due AS at FROM (SELECT due FROM timer WHERE org = $1 AND due > $2 AND ${FREE} ORDER BY due LIMIT 1) later
      UNION ALL SELECT lease_until FROM timer WHERE org = $1 AND token IS NOT NULL AND lease_until > $2 AND id <> ALL($3::text[])
      UNION ALL SELECT due FROM (SELECT due FROM timer WHERE org = $1 AND due <= $2 AND ${FREE} AND id <> ALL(ARRAY(SELECT id FROM picked))
        ORDER BY due, set_at, id LIMIT 1) left_over) ats)
  SELECT next.at AS next, l.id, l.due, l.body, l.token FROM next LEFT JOIN leased l ON true ORDER BY l.due, l.set_at, l.id`;

interface ClaimedRow extends TimerRow {
  readonly next: number | null;
  readonly token: string;
}

/** The scheduler's part of the store. */
export function timers({ db, org, owner }: Context): Timers {
  const ONE = `json_to_recordset($3::json) AS t(id text, due bigint, body text)`;
  return {
    setTimer: async (timer, now) => {
      await db.read(upsert(org, `${ONE} WHERE $1 = ${org}`, '$2::bigint'), [
        org,
        now,
        JSON.stringify([timerRow(timer)]),
      ]);
    },
    clearTimer: async (id) => {
      await db.read('DELETE FROM timer WHERE org = $1 AND id = $2', [org, encode(id)]);
    },
    claimTimers: async ({ now, leaseMs, limit, except = [] }) => {
      const rows = await db.read<ClaimedRow>(CLAIM, [org, now, except.map(encode), limit, owner, leaseMs]);
      const claimed = rows.flatMap((row): readonly LeasedTimer[] =>
        row.id === null ? [] : [{ ...timerOf(row), token: decode(row.token) }],
      );
      return { timers: claimed, next: rows[0]?.next ?? null };
    },
    settleTimer: async (id, token, next, now) => {
      const gone = 'DELETE FROM timer WHERE org = $1 AND id = $2 AND token = $3 RETURNING id';
      // In one statement both would be of the same row: the next one takes the place of what was handled.
      const replaced = `UPDATE timer SET due = $4, set_at = $5, body = $6, owner = NULL, token = NULL, lease_until = NULL
        WHERE org = $1 AND id = $2 AND token = $3 RETURNING id`;
      const own = [org, encode(id), encode(token)];
      if (next === null) return (await db.read(gone, own)).length > 0;
      if (next.id === id) return (await db.read(replaced, [...own, next.due, now, JSON.stringify(next)])).length > 0;
      const [, removed = []] = await db.write(
        { timers: [timerRow(next)], settled: encode(id), token: encode(token), now },
        [
          `SELECT id FROM timer WHERE org = ${org} AND id IN (${setting('settled')}, (SELECT id FROM ${given('timers', 'id text')})) ORDER BY id FOR UPDATE`,
          `DELETE FROM timer WHERE org = ${org} AND id = ${setting('settled')} AND token = ${setting('token')}
         RETURNING set_config('belfry.done', 'yes', true)`,
          setTimers(org, `coalesce(current_setting('belfry.done', true), '') = 'yes'`),
        ],
      );
      return removed.length > 0;
    },
  };
}

// Timers: rows with a due time, so that nothing is forgotten by a restart.
import type { Timer } from '../../model/event/verdict.ts';
import type { Store, StoreReader } from '../contract.ts';
import { NEW_TOKEN, type WriteContext } from './engine/context.ts';
import type { Database } from './engine/database.ts';
import { beginningsOf, encode, decode, parseJson } from '../encoding.ts';

interface TimerRow {
  readonly id: string;
  readonly due: number;
  readonly timer: string;
}

/** Adds a timer or replaces the one of its id, whoever handles that. */
export function insertTimer(db: Database, timer: Timer, now: number): void {
  db.run(
    `INSERT INTO timers (id, due, set_at, timer) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET due = excluded.due, set_at = excluded.set_at, timer = excluded.timer,
       owner = NULL, token = NULL, lease_until = NULL`,
    encode(timer.id),
    timer.due,
    now,
    JSON.stringify(timer),
  );
}

/** Clears those of these ids. */
export function clearTimers(db: Database, ids: readonly string[]): void {
  if (ids.length === 0) return;
  db.run('DELETE FROM timers WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids.map(encode)));
}

/** Written from a Timer; compensateClock moves `due`. A damaged one gets a kind without a handler, so that it holds up no other. */
function timerOf({ id, due, timer }: TimerRow): Timer {
  return { ...(parseJson<Timer>(timer) ?? { id: decode(id), kind: 'damaged', data: {} }), due };
}

const OF_IDS = 'SELECT id, due, timer FROM timers WHERE id IN (SELECT value FROM json_each(?))';

/** How many there are of a kind: their ids begin with it, and are found by that. */
export function countTimers(db: Database, kind: string): number {
  const sql = 'SELECT count(*) AS n FROM timers WHERE id >= ?1 AND id < ?1 || char(1114111)';
  return beginningsOf(`${kind}:`).reduce((sum, begin) => sum + (db.get<{ n: number }>(sql, begin)?.n ?? 0), 0);
}

/** Those of these ids that are set. */
export const timersOf = (db: Database, ids: readonly string[]): readonly Timer[] =>
  ids.length === 0 ? [] : db.all<TimerRow>(OF_IDS, JSON.stringify(ids.map(encode))).map(timerOf);

/** What may be read of timers. */
export function timerReads(db: Database): Pick<StoreReader, 'timers'> {
  return {
    timers: async (ids) => timersOf(db, ids),
  };
}

const FREE = 'coalesce(lease_until, ?1) <= ?1 AND id NOT IN (SELECT value FROM json_each(?2))';
/** Due ones that nobody handles, earliest first. */
const DUE = `SELECT id, due FROM timers WHERE due <= ?1 AND ${FREE} ORDER BY due, set_at LIMIT ?3`;
/** Those, then when others can be claimed: the first one that is not due yet, and the due ones that somebody handles. */
const LOOK = `SELECT 1 AS isDue, due AS at FROM (${DUE})
  UNION ALL SELECT 0, due FROM (SELECT due FROM timers WHERE due > ?1 AND ${FREE} ORDER BY due LIMIT 1)
  UNION ALL SELECT 0, lease_until FROM timers INDEXED BY timers_leased
    WHERE token IS NOT NULL AND lease_until > ?1 AND id NOT IN (SELECT value FROM json_each(?2))`;
const LEASE = `UPDATE timers SET owner = ?4, token = ${NEW_TOKEN}, lease_until = ?5 WHERE id IN (SELECT id FROM (${DUE}))
  RETURNING id, due, set_at AS setAt, timer, token`;

interface LeasedRow extends TimerRow {
  readonly setAt: number;
  readonly token: string;
}

/** The timers' part of the store. */
export function timers({
  db,
  writer,
  owner,
}: WriteContext): Pick<Store, 'setTimer' | 'clearTimer' | 'claimTimers' | 'settleTimer'> {
  return {
    setTimer: (timer, now) => writer.write(() => insertTimer(db, timer, now)),
    clearTimer: (id) => writer.write(() => clearTimers(db, [id])),
    claimTimers: async ({ now, leaseMs, limit, except = [] }) => {
      const excepted = JSON.stringify(except.map(encode));
      const rows = db.all<{ isDue: number; at: number }>(LOOK, now, excepted, limit + 1);
      const due = rows.filter(({ isDue }) => isDue === 1);
      const later = [...rows.filter(({ isDue }) => isDue === 0), ...due.slice(limit)].map(({ at }) => at);
      const next = later.length === 0 ? null : Math.min(...later);
      // Mostly nothing is due, and then nothing is written.
      if (due.length === 0 || limit === 0) return { timers: [], next };
      const leased = await writer.write(() => db.all<LeasedRow>(LEASE, now, excepted, limit, owner, now + leaseMs));
      leased.sort((a, b) => a.due - b.due || a.setAt - b.setAt);
      // What another has claimed since it was looked at comes back when that one's lease is over: it is looked for again.
      const isWhole = leased.length >= Math.min(due.length, limit);
      return { timers: leased.map((row) => ({ ...timerOf(row), token: row.token })), next: isWhole ? next : now };
    },
    settleTimer: async (id, token, next, now) => {
      const which = [encode(id), token] as const;
      // Mostly whoever handled it has cleared or replaced it.
      if (db.get('SELECT 1 FROM timers WHERE id = ? AND token = ?', ...which) === undefined) return false;
      return writer.write(() => {
        if (db.run('DELETE FROM timers WHERE id = ? AND token = ?', ...which) === 0) return false;
        if (next !== null) insertTimer(db, next, now);
        return true;
      });
    },
  };
}

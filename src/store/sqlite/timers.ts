// Timers: rows with a due time, so that nothing is forgotten by a restart.
import type { Timer } from '../../model/event/verdict.ts';
import type { Store, StoreReader } from '../contract.ts';
import { NEW_TOKEN, type WriteContext } from './context.ts';
import type { Database } from './database.ts';
import { beginningsOf, encode, decode, parseJson } from './encoding.ts';

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

/** The timers' part of the store. */
export function timers({
  db,
  writer,
  owner,
}: WriteContext): Pick<Store, 'timersDue' | 'nextTimer' | 'setTimer' | 'clearTimer' | 'claimTimers' | 'settleTimer'> {
  return {
    timersDue: async (now, limit) =>
      db
        .all<TimerRow>('SELECT id, due, timer FROM timers WHERE due <= ? ORDER BY due LIMIT ?', now, limit)
        .map(timerOf),
    nextTimer: async () => db.get<{ due: number | null }>('SELECT min(due) AS due FROM timers')?.due ?? null,
    setTimer: (timer, now) => writer.write(() => insertTimer(db, timer, now)),
    clearTimer: (id) => writer.write(() => clearTimers(db, [id])),
    claimTimers: ({ now, leaseMs, limit }) =>
      writer.write(() =>
        db
          .all<{ id: string }>(
            'SELECT id FROM timers WHERE due <= ?1 AND coalesce(lease_until, ?1) <= ?1 ORDER BY due LIMIT ?2',
            now,
            limit,
          )
          .flatMap(({ id }) =>
            db.all<TimerRow & { readonly token: string }>(
              `UPDATE timers SET owner = ?, token = ${NEW_TOKEN}, lease_until = ? WHERE id = ? RETURNING id, due, timer, token`,
              owner,
              now + leaseMs,
              id,
            ),
          )
          .map((row) => ({ ...timerOf(row), token: row.token })),
      ),
    settleTimer: (id, token, next, now) =>
      writer.write(() => {
        if (db.run('DELETE FROM timers WHERE id = ? AND token = ?', encode(id), token) === 0) return false;
        if (next !== null) insertTimer(db, next, now);
        return true;
      }),
  };
}

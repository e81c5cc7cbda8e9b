// Timers: rows with a due time, so that nothing is forgotten by a restart.
import type { Timer } from '../../model/verdict.ts';
import type { Store } from '../contract.ts';
import type { Database } from './database.ts';
import { encode, decode, parseJson } from './encoding.ts';
import type { Writer } from './group-commit.ts';

/** Adds a timer or replaces the one of its id. */
export function insertTimer(db: Database, timer: Timer, now: number): void {
  db.run(
    `INSERT INTO timers (id, due, set_at, timer) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET due = excluded.due, set_at = excluded.set_at, timer = excluded.timer`,
    encode(timer.id),
    timer.due,
    now,
    JSON.stringify(timer),
  );
}

/** Written from a Timer; compensateClock moves `due`. A damaged one gets a kind without a handler, so that it holds up no other. */
function timerOf({ id, due, timer }: { id: string; due: number; timer: string }): Timer {
  return { ...(parseJson<Timer>(timer) ?? { id: decode(id), kind: 'damaged', data: {} }), due };
}

/** The timers' part of the store. */
export function timers(
  db: Database,
  writer: Writer,
): Pick<Store, 'timersDue' | 'nextTimer' | 'setTimer' | 'clearTimer'> {
  return {
    timersDue: async (now, limit) =>
      db
        .all<{ id: string; due: number; timer: string }>(
          'SELECT id, due, timer FROM timers WHERE due <= ? ORDER BY due LIMIT ?',
          now,
          limit,
        )
        .map(timerOf),
    nextTimer: async () => db.get<{ due: number | null }>('SELECT min(due) AS due FROM timers')?.due ?? null,
    setTimer: (timer, now) => writer.write(() => insertTimer(db, timer, now)),
    clearTimer: (id) =>
      writer.write(() => {
        db.run('DELETE FROM timers WHERE id = ?', encode(id));
      }),
  };
}

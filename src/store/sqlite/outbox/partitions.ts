// Lines of the outbox: deliveries of one channel and thread go out in order, and the first unfinished one is marked.
import type { DeliveryState } from '../../../model/delivery/delivery.ts';
import type { Database } from '../engine/database.ts';

/** In a line; one that is scheduled enters it when it becomes due. */
export const UNFINISHED = `('pending', 'leased', 'paused')`;
export const IN_LINE = `scheduled = 0 AND state IN ${UNFINISHED}`;
export const isUnfinished = (state: DeliveryState): boolean =>
  state === 'pending' || state === 'leased' || state === 'paused';

/** A line, in the form of its columns. */
export interface Line {
  readonly channel: string;
  readonly thread_key: string;
}

/** Something urgent waits in the line of row `d`: all of it goes first, since nothing overtakes within a line. */
const PRIORITY = `EXISTS (SELECT 1 FROM deliveries u INDEXED BY deliveries_urgent
  WHERE u.channel = d.channel AND u.thread_key = d.thread_key AND u.urgent = 1 AND u.scheduled = 0 AND u.state IN ${UNFINISHED})`;

/**
 * Marks the first unfinished row of a line after one of it has changed. One that becomes the first is due from then on: lines go out by
 * turns, and a long one has no more turns than a short one. `now`: Unix ms.
 */
export function markHead(db: Database, { channel, thread_key }: Line, now: number): void {
  const first = db.get<{ readonly seq: number }>(
    `SELECT seq FROM deliveries WHERE channel = ?1 AND thread_key = ?2 AND ${IN_LINE} ORDER BY seq LIMIT 1`,
    channel,
    thread_key,
  );
  if (first === undefined) return;
  db.run(
    `UPDATE deliveries INDEXED BY deliveries_first SET head = 0
     WHERE channel = ?1 AND thread_key = ?2 AND head = 1 AND seq <> ?3`,
    channel,
    thread_key,
    first.seq,
  );
  db.run(
    `UPDATE deliveries AS d SET head = 1, priority = ${PRIORITY},
       due = CASE head WHEN 0 THEN max(due, ?2) ELSE due END, updated_at = CASE head WHEN 0 THEN ?2 ELSE updated_at END
     WHERE seq = ?1`,
    first.seq,
    now,
  );
}

/** Marks every line's first row again, after rows were lost. */
export function repairLines(db: Database): void {
  db.exec(`UPDATE deliveries SET head = 0;
    UPDATE deliveries AS d SET head = 1, priority = ${PRIORITY} WHERE seq IN
      (SELECT min(seq) FROM deliveries WHERE ${IN_LINE} GROUP BY channel, thread_key);`);
}

/** Scheduled deliveries that are due go to the end of their lines; `channel`: the column's form. */
export function enterLines(db: Database, channel: string, now: number): void {
  const due = db.all<Line & { readonly seq: number }>(
    `SELECT seq, channel, thread_key FROM deliveries
     WHERE scheduled = 1 AND held_by IS NULL AND channel = ? AND state = 'pending' AND due <= ? ORDER BY due, seq`,
    channel,
    now,
  );
  for (const { seq, ...line } of due) {
    db.run('UPDATE deliveries SET scheduled = 0, seq = (SELECT max(seq) + 1 FROM deliveries) WHERE seq = ?', seq);
    markHead(db, line, now);
  }
}

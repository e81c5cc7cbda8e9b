// Lines of the outbox: deliveries of one channel and thread go out in order, and the first unfinished one is marked.
import type { DeliveryState } from '../../model/delivery.ts';
import type { Database } from './database.ts';

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

/** Marks the first unfinished row of a line after rows have left it or come to its end: one that is marked stays the first. */
export function markHead(db: Database, { channel, thread_key }: Line): void {
  db.run(
    `UPDATE deliveries SET head = 1 WHERE head = 0 AND seq =
       (SELECT min(seq) FROM deliveries INDEXED BY deliveries_line
        WHERE channel = ?1 AND thread_key = ?2 AND ${IN_LINE})`,
    channel,
    thread_key,
  );
}

/** The same after rows have come back into the line, perhaps before the one that is marked. */
export function remarkHead(db: Database, line: Line): void {
  db.run(
    `UPDATE deliveries SET head = 0 WHERE seq IN
       (SELECT seq FROM deliveries INDEXED BY deliveries_line
        WHERE channel = ?1 AND thread_key = ?2 AND ${IN_LINE}) AND head = 1`,
    line.channel,
    line.thread_key,
  );
  markHead(db, line);
}

/** Marks every line's first row again, after rows were lost. */
export function repairLines(db: Database): void {
  db.exec(`UPDATE deliveries SET head = 0;
    UPDATE deliveries SET head = 1 WHERE seq IN
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
    markHead(db, line);
  }
}

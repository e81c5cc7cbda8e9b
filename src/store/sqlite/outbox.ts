// Writes of the outbox: deliveries, their leases and their attempts. Each keeps the mark of every line's first unfinished row.
import type { Delivery, DeliveryState } from '../../model/delivery.ts';
import { ATTEMPTS_KEPT, type Store } from '../contract.ts';
import { COLUMNS, type DeliveryRow, deliveryOf } from './delivery-row.ts';
import type { Database, Value } from './database.ts';
import { encode } from './encoding.ts';
import type { Writer } from './group-commit.ts';

const OPEN = `('pending', 'leased', 'parked')`;
const isOpen = (state: DeliveryState): boolean => state === 'pending' || state === 'leased' || state === 'parked';

/** Adds one row; one of the same id stays as it is. */
export function insertDelivery(db: Database, d: Delivery): void {
  const channel = encode(d.channel);
  const line = encode(d.sessionKey);
  db.run(
    `INSERT INTO deliveries
       (id, event_id, channel, session_key, state, head, attempts, due, created_at, updated_at, last, notification,
        failures, deferrals, unknowns)
     VALUES (?1, ?2, ?3, ?4, ?5,
       CASE WHEN ?5 NOT IN ${OPEN} OR EXISTS (SELECT 1 FROM deliveries WHERE channel = ?3 AND session_key = ?4 AND state IN ${OPEN})
         THEN 0 ELSE 1 END,
       ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
     ON CONFLICT (id) DO NOTHING`,
    encode(d.id),
    encode(d.eventId),
    channel,
    line,
    d.state,
    d.attempts,
    d.due,
    d.createdAt,
    d.updatedAt,
    lastOf(d.lastReason, d.lastError),
    JSON.stringify(d.notification),
    d.failures,
    d.deferrals,
    d.unknowns,
  );
}

const lastOf = (reason: string | null, error: string | null): string | null =>
  reason === null && error === null ? null : JSON.stringify({ reason, error });

/** Marks the first unfinished row of a line after one of it has changed. */
function markHead(db: Database, channel: string, line: string): void {
  db.run(
    `UPDATE deliveries SET head = 0 WHERE channel = ?1 AND session_key = ?2 AND head = 1 AND state IN ${OPEN}`,
    channel,
    line,
  );
  db.run(
    `UPDATE deliveries SET head = 1 WHERE seq =
       (SELECT min(seq) FROM deliveries WHERE channel = ?1 AND session_key = ?2 AND state IN ${OPEN})`,
    channel,
    line,
  );
}

/** What was given up counts its retries from zero when it goes out again. */
const AFRESH = ['failures', 'deferrals', 'unknowns']
  .map((counter) => `${counter} = CASE state WHEN 'dead' THEN 0 ELSE ${counter} END`)
  .join(', ');

type Moved = { readonly channel: string; readonly session_key: string };

/** Changes states and recomputes the head of every line touched. `because`: the column `last`, where it changes. */
function change(
  db: Database,
  to: DeliveryState,
  now: number,
  where: string,
  given: readonly Value[],
  because: string | null = null,
): number {
  const open = isOpen(to);
  const last = because === null ? '' : `, last = ?${given.length + 3}`;
  const due = `${to === 'pending' ? `, due = ?2, ${AFRESH}` : ''}${last}`;
  const values = because === null ? given : [...given, because];
  const moved = db.all<Moved>(
    `UPDATE deliveries SET state = ?1, updated_at = ?2 ${due} ${open ? '' : ', head = 0'} WHERE ${where}
     RETURNING channel, session_key`,
    to,
    now,
    ...values,
  );
  const lines = new Map(moved.map((m) => [`${m.channel}\n${m.session_key}`, m]));
  for (const { channel, session_key } of lines.values()) markHead(db, channel, session_key);
  return moved.length;
}

/** Cancels what an event has waiting for these channels. */
export function cancelDeliveries(
  db: Database,
  { eventId, channels }: { readonly eventId: string; readonly channels: readonly string[] },
  now: number,
): void {
  for (const channel of channels)
    change(db, 'folded', now, `event_id = ?3 AND channel = ?4 AND state IN ('pending', 'parked')`, [
      encode(eventId),
      encode(channel),
    ]);
}

/** The outbox's part of the store. */
export function outbox(
  db: Database,
  writer: Writer,
): Pick<
  Store,
  | 'claim'
  | 'claimParked'
  | 'settle'
  | 'nextDue'
  | 'transition'
  | 'addDelivery'
  | 'replaceWithDigest'
  | 'compensateClock'
> {
  const lease = (row: DeliveryRow, now: number, until: number): Delivery | null => {
    db.run(`UPDATE deliveries SET state = 'leased', due = ?, updated_at = ? WHERE seq = ?`, until, now, row.seq);
    try {
      return deliveryOf({ ...row, state: 'leased', due: until, updated_at: now });
    } catch {
      // Its text was damaged on the disk: made a dead letter, so that people see it and its line continues.
      db.run(
        `UPDATE deliveries SET last = ? WHERE seq = ?`,
        lastOf('client', 'the stored notification is damaged'),
        row.seq,
      );
      change(db, 'dead', now, 'seq = ?3', [row.seq]);
      return null;
    }
  };
  const present = (d: Delivery | null): d is Delivery => d !== null;
  return {
    claim: (channel, now, leaseMs, limit) =>
      writer.write(() =>
        db
          .all<DeliveryRow>(
            `SELECT ${COLUMNS} FROM deliveries
             WHERE channel = ? AND head = 1 AND state IN ('pending', 'leased') AND due <= ? ORDER BY due, seq LIMIT ?`,
            encode(channel),
            now,
            limit,
          )
          .map((row) => lease(row, now, now + leaseMs))
          .filter(present),
      ),
    claimParked: (channel, dueBy, now, leaseMs) =>
      writer.write(() => {
        const row = db.get<DeliveryRow>(
          `SELECT ${COLUMNS} FROM deliveries
           WHERE channel = ? AND head = 1 AND state = 'parked' AND due <= ? ORDER BY attempts, due, seq LIMIT 1`,
          encode(channel),
          dueBy,
        );
        return row ? lease(row, now, now + leaseMs) : null;
      }),
    settle: (deliveryId, { attempt, state, due, lastReason, lastError, counters }) =>
      writer.write(() => {
        const id = encode(deliveryId);
        db.run(
          `INSERT INTO attempts (delivery_id, number, attempt) VALUES (?, ?, ?)
           ON CONFLICT (delivery_id, number) DO UPDATE SET attempt = excluded.attempt`,
          id,
          attempt.number,
          JSON.stringify(attempt),
        );
        db.run('DELETE FROM attempts WHERE delivery_id = ? AND number <= ?', id, attempt.number - ATTEMPTS_KEPT);
        const row = db.get<Moved>(
          `UPDATE deliveries SET state = ?, due = ?, updated_at = ?, last = ?, attempts = max(attempts, ?), head = head * ?,
             failures = ?, deferrals = ?, unknowns = ?
           WHERE id = ? RETURNING channel, session_key`,
          state,
          due,
          attempt.at + attempt.ms,
          lastOf(lastReason, lastError),
          attempt.number,
          isOpen(state) ? 1 : 0,
          counters.failures,
          counters.deferrals,
          counters.unknowns,
          id,
        );
        if (row && !isOpen(state)) markHead(db, row.channel, row.session_key);
      }),
    nextDue: async (channel) =>
      db.get<{ due: number | null }>(
        `SELECT min(due) AS due FROM deliveries WHERE channel = ? AND head = 1 AND state IN ('pending', 'leased')`,
        encode(channel),
      )?.due ?? null,
    transition: (filter, to, now, last) =>
      writer.write(() => {
        const because = last ? lastOf(last.reason, last.error) : null;
        const values: Value[] = [...filter.from];
        const parts = [`state IN (${filter.from.map((_, i) => `?${i + 3}`).join(', ')})`];
        const add = (sql: (n: number) => string, value: Value): void => {
          values.push(value);
          parts.push(sql(values.length + 2));
        };
        if (filter.channel !== undefined) add((n) => `channel = ?${n}`, encode(filter.channel));
        if (filter.createdBefore !== undefined) add((n) => `created_at < ?${n}`, filter.createdBefore);
        if (!filter.ids) return change(db, to, now, parts.join(' AND '), values, because);
        const where = `${parts.join(' AND ')} AND id = ?${values.length + 3}`;
        return filter.ids.reduce((sum, id) => sum + change(db, to, now, where, [...values, encode(id)], because), 0);
      }),
    addDelivery: (delivery) => writer.write(() => insertDelivery(db, delivery)),
    replaceWithDigest: (ids, summary) =>
      writer.write(() => {
        const where = `state IN ${OPEN} AND id = ?3`;
        const folded = ids.reduce((sum, id) => sum + change(db, 'folded', summary.createdAt, where, [encode(id)]), 0);
        insertDelivery(db, summary);
        return folded;
      }),
    compensateClock: (now) =>
      writer.write(
        () =>
          db.run(
            `UPDATE deliveries SET due = ?1 + (due - updated_at), updated_at = ?1
             WHERE state IN ${OPEN} AND updated_at > ?1 AND due > ?1`,
            now,
          ) + db.run('UPDATE timers SET due = ?1 + (due - set_at), set_at = ?1 WHERE set_at > ?1 AND due > ?1', now),
      ),
  };
}

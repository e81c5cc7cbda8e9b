// Events with their verdicts, and the one transaction in which everything decided about an entry is written.
import type { Event } from '../../model/event.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Decision, EventFilter, Store, StoredEvent, StoreReader } from '../contract.ts';
import type { Database, Value } from './database.ts';
import { insertTimer } from './timers.ts';
import { cancelDeliveries, insertDelivery } from './outbox.ts';
import { upsertSession } from './state.ts';
import { placeholderEvent } from './placeholder.ts';
import { encode, decode, parseJson } from './encoding.ts';
import type { Writer } from './group-commit.ts';

interface EventRow {
  readonly row: number;
  readonly id: string;
  readonly at: number;
  readonly event: string;
  readonly verdicts: string;
  readonly fingerprint: string | null;
}

const SELECT = 'SELECT e.row, e.id, e.at, e.event, e.verdicts, e.fingerprint FROM events e';

// The JSON of these columns was written from these types by upsertEvent below.
function storedOf(row: EventRow): StoredEvent {
  const id = decode(row.id);
  return {
    row: row.row,
    // The column's id: the index verifies it.
    event: { ...(parseJson<Event>(row.event) ?? placeholderEvent(id, row.at)), id },
    verdicts: parseJson<Verdict[]>(row.verdicts) ?? [],
    fingerprint: row.fingerprint === null ? null : decode(row.fingerprint),
  };
}

function upsertEvent(db: Database, { event, fingerprint, verdicts }: Decision['events'][number]): void {
  const id = encode(event.id);
  const existing = db.get<{ verdicts: string }>('SELECT verdicts FROM events WHERE id = ?', id);
  if (existing) {
    const all = [...(parseJson<Verdict[]>(existing.verdicts) ?? []), ...verdicts];
    db.run('UPDATE events SET event = ?, verdicts = ? WHERE id = ?', JSON.stringify(event), JSON.stringify(all), id);
    return;
  }
  db.run(
    'INSERT INTO events (id, at, kind, session, fingerprint, event, verdicts) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    event.at,
    event.kind,
    event.sessionId === null ? null : encode(event.sessionId),
    fingerprint === null ? null : encode(fingerprint),
    JSON.stringify(event),
    JSON.stringify(verdicts),
  );
}

/** True when the entry was not decided before. */
function markDecided(db: Database, entryId: string, at: number): boolean {
  if (db.run('UPDATE journal SET decided_at = ? WHERE id = ? AND decided_at IS NULL', at, encode(entryId)) > 0)
    return true;
  return (
    db.run(
      `INSERT INTO journal (id, source, started_at, received_at, decided_at, header) VALUES (?, 'timer', ?, ?, ?, '{}')
       ON CONFLICT (id) DO NOTHING`,
      encode(entryId),
      at,
      at,
      at,
    ) > 0
  );
}

function conditions(filter: EventFilter): { where: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, ...more: Value[]): void => {
    parts.push(sql);
    values.push(...more);
  };
  if (filter.since !== undefined) add('e.at >= ?', filter.since);
  if (filter.kinds) add(`e.kind IN (${filter.kinds.map(() => '?').join(', ')})`, ...filter.kinds);
  if (filter.session !== undefined) add('e.session = ?', encode(filter.session));
  if (filter.afterRow !== undefined) add('e.row > ?', filter.afterRow);
  if (filter.failed)
    add(`EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.state IN ('dead', 'parked'))`);
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
}

/** What may be read of events. */
export function eventReads(db: Database): Pick<StoreReader, 'event' | 'events'> {
  return {
    event: async (id) => {
      const row = db.get<EventRow>(`${SELECT} WHERE e.id = ?`, encode(id));
      return row ? storedOf(row) : null;
    },
    events: async (filter) => {
      const { where, values } = conditions(filter);
      const limit = filter.limit ?? 1_000;
      // A follower wants the next ones, anyone else the latest ones; both oldest first.
      const order = filter.afterRow === undefined ? 'DESC' : 'ASC';
      // With a time the index on it finds the rows; without one (or for a follower) their own order does.
      const by =
        filter.since !== undefined && filter.afterRow === undefined
          ? `e.at ${order}, e.row ${order}`
          : `e.row ${order}`;
      const rows = db.all<EventRow>(`${SELECT} ${where} ORDER BY ${by} LIMIT ?`, ...values, limit);
      return (order === 'DESC' ? rows.reverse() : rows).map(storedOf);
    },
  };
}

/** The events' part of the store. */
export function events(
  db: Database,
  writer: Writer,
): Pick<Store, 'event' | 'events' | 'commitDecision' | 'byFingerprint'> {
  return {
    ...eventReads(db),
    commitDecision: (decision) =>
      writer.write(() => {
        if (!markDecided(db, decision.entryId, decision.at)) return 'already';
        for (const decided of decision.events) upsertEvent(db, decided);
        for (const replaced of decision.cancel ?? []) cancelDeliveries(db, replaced, decision.at);
        for (const delivery of decision.deliveries) insertDelivery(db, delivery);
        for (const id of decision.timers.clear) db.run('DELETE FROM timers WHERE id = ?', encode(id));
        for (const timer of decision.timers.set) insertTimer(db, timer, decision.at);
        for (const record of decision.sessions) upsertSession(db, record);
        return 'written';
      }),
    byFingerprint: async (fingerprint, since) => {
      const row = db.get<EventRow>(
        `${SELECT} WHERE e.fingerprint = ? AND e.at >= ? ORDER BY +e.row DESC LIMIT 1`,
        encode(fingerprint),
        since,
      );
      return row ? storedOf(row) : null;
    },
  };
}

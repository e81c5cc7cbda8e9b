// Events with their verdicts, and the one transaction in which everything decided about an entry is written.
import type { Event } from '../../model/event/event.ts';
import type { Verdict } from '../../model/event/verdict.ts';
import type { Decision, Store, StoredEvent, StoreReader } from '../contract.ts';
import type { Database } from './database.ts';
import { eventRows } from './event-filter.ts';
import { reholdDelivery } from './held.ts';
import { insertTimer } from './timers.ts';
import type { WriteContext } from './context.ts';
import { insertDelivery, rewriteDelivery, sendOf } from './insert-delivery.ts';
import { notificationIsCurrent, writeNotification } from './notifications.ts';
import { sessionIsCurrent, upsertSession } from './state.ts';
import { cancelDeliveries } from './transition.ts';
import { placeholderEvent } from './corrupt-record.ts';
import { encode, decode, parseJson } from './encoding.ts';

interface EventRow {
  readonly row: number;
  readonly id: string;
  readonly at: number;
  readonly event: string;
  readonly verdicts: string;
  readonly fingerprint: string | null;
}

const SELECT = 'SELECT e.row, e.id, e.at, e.event, e.verdicts, e.fingerprint FROM events e';

type BareRow = Pick<EventRow, 'id' | 'at' | 'event'>;

// The JSON of these columns was written from these types by upsertEvent below.
function bareEvent({ id: column, at, event }: BareRow): Event {
  const id = decode(column);
  return { ...(parseJson<Event>(event) ?? placeholderEvent(id, at)), id }; // the column's id: the index verifies it
}

function storedOf(row: EventRow): StoredEvent {
  return {
    row: row.row,
    event: bareEvent(row),
    verdicts: parseJson<Verdict[]>(row.verdicts) ?? [],
    fingerprint: row.fingerprint === null ? null : decode(row.fingerprint),
  };
}

function upsertEvent(
  { db, changes }: WriteContext,
  { event, fingerprint, verdicts }: Decision['events'][number],
): void {
  const id = encode(event.id);
  changes.note('event', event.id);
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

function isDecided(db: Database, entryId: string): boolean {
  return db.get('SELECT 1 FROM journal WHERE id = ? AND decided_at IS NOT NULL', encode(entryId)) !== undefined;
}

/** Whether all that was read for the decision stands as it was read. */
function isCurrent(db: Database, { notifications, sessions }: Decision): boolean {
  return (
    notifications.every((notification) => notificationIsCurrent(db, notification)) &&
    sessions.every((record) => sessionIsCurrent(db, record))
  );
}

function markDecided(db: Database, entryId: string, at: number): void {
  db.run(
    `INSERT INTO journal (id, source, started_at, received_at, decided_at, header) VALUES (?1, 'timer', ?2, ?2, ?2, '{}')
     ON CONFLICT (id) DO UPDATE SET decided_at = excluded.decided_at`,
    encode(entryId),
    at,
  );
}

/** What may be read of events. */
export function eventReads(db: Database): Pick<StoreReader, 'event' | 'events' | 'eventsById' | 'lastEventRow'> {
  return {
    lastEventRow: async () => db.get<{ row: number | null }>('SELECT max(row) AS row FROM events')?.row ?? 0,
    eventsById: async (ids) => {
      const sql = 'SELECT e.id, e.at, e.event FROM events e WHERE e.id IN (SELECT value FROM json_each(?))';
      const rows = ids.length === 0 ? [] : db.all<BareRow>(sql, JSON.stringify(ids.map(encode)));
      const events = rows.map(bareEvent);
      return new Map(events.map((event) => [event.id, event]));
    },
    event: async (id) => {
      const row = db.get<EventRow>(`${SELECT} WHERE e.id = ?`, encode(id));
      return row ? storedOf(row) : null;
    },
    events: async (filter) => {
      const rows = await eventRows(db, filter, filter.limit ?? 1_000);
      const found = db.all<EventRow>(`${SELECT} WHERE e.row IN (SELECT value FROM json_each(?))`, JSON.stringify(rows));
      const byRow = new Map(found.map((row) => [row.row, row]));
      // A follower wants the next ones, anyone else the latest ones; both oldest first.
      const ordered = filter.afterRow === undefined ? rows.toReversed() : rows;
      return ordered.flatMap((row) => byRow.get(row) ?? []).map(storedOf);
    },
  };
}

/** The events' part of the store. */
export function events(context: WriteContext): Pick<Store, 'event' | 'events' | 'commitDecision' | 'byFingerprint'> {
  const { db, writer } = context;
  return {
    ...eventReads(db),
    commitDecision: (decision) =>
      writer.write(() => {
        if (isDecided(db, decision.entryId)) return 'already';
        if (!isCurrent(db, decision)) return 'conflict';
        markDecided(db, decision.entryId, decision.at);
        for (const decided of decision.events) upsertEvent(context, decided);
        for (const notification of decision.notifications) writeNotification(context, notification);
        for (const held of decision.rehold ?? []) reholdDelivery(context, held, decision.at);
        for (const cancelled of decision.cancel) cancelDeliveries(context, cancelled, decision.at);
        for (const rewrite of decision.rewrite ?? []) rewriteDelivery(context, rewrite, decision.at);
        for (const delivery of decision.deliveries) {
          const send = delivery.operation === 'send' ? 'there' : sendOf(db, delivery);
          if (send === 'there') insertDelivery(context, delivery);
          else if (send !== null) insertDelivery(context, { ...delivery, due: send.due, scheduled: true });
        }
        for (const id of decision.timers.clear) db.run('DELETE FROM timers WHERE id = ?', encode(id));
        for (const timer of decision.timers.set) insertTimer(db, timer, decision.at);
        for (const record of decision.sessions) upsertSession(context, record);
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

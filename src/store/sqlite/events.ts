// Events with their verdicts, and the one transaction in which everything decided about an entry is written.
import type { Event } from '../../model/event/event.ts';
import type { Verdict } from '../../model/event/verdict.ts';
import type { Decision, Store, StoredEvent, StoreReader } from '../contract.ts';
import type { Database } from './engine/database.ts';
import { eventRows } from './event-filter.ts';
import { reholdDelivery } from './outbox/held.ts';
import { clearTimers, insertTimer } from './timers.ts';
import type { WriteContext } from './engine/context.ts';
import { insertDelivery, rewriteDelivery, sendOf } from './outbox/insert-delivery.ts';
import { writeNotification } from './notifications.ts';
import { sessionColumns, writeSession } from './state.ts';
import { cancelDeliveries } from './outbox/transition.ts';
import { placeholderEvent } from './damage/corrupt-record.ts';
import { encode, decode, parseJson } from '../encoding.ts';

interface EventRow {
  readonly row: number;
  readonly version: number;
  readonly id: string;
  readonly at: number;
  readonly event: string;
  readonly verdicts: string;
  readonly fingerprint: string | null;
}

const SELECT = 'SELECT e.row, e.version, e.id, e.at, e.event, e.verdicts, e.fingerprint FROM events e';

export type BareRow = Pick<EventRow, 'id' | 'at' | 'event'>;

// The JSON of these columns was written from these types by upsertEvent below.
export function bareEvent({ id: column, at, event }: BareRow): Event {
  const id = decode(column);
  return { ...(parseJson<Event>(event) ?? placeholderEvent(id, at)), id }; // the column's id: the index verifies it
}

function storedOf(row: EventRow): StoredEvent {
  return {
    row: row.row,
    version: row.version,
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
  const added = db.run(
    `INSERT INTO events (id, at, kind, session, fingerprint, event, verdicts) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
    id,
    event.at,
    event.kind,
    event.sessionId === null ? null : encode(event.sessionId),
    fingerprint === null ? null : encode(fingerprint),
    JSON.stringify(event),
    JSON.stringify(verdicts),
  );
  if (added > 0) return;
  const existing = db.get<{ verdicts: string }>('SELECT verdicts FROM events WHERE id = ?', id);
  const all = [...(parseJson<Verdict[]>(existing?.verdicts ?? '[]') ?? []), ...verdicts];
  db.run(
    'UPDATE events SET version = version + 1, event = ?, verdicts = ? WHERE id = ?',
    JSON.stringify(event),
    JSON.stringify(all),
    id,
  );
}

function isDecided(db: Database, entryId: string): boolean {
  return db.get('SELECT 1 FROM journal WHERE id = ? AND decided_at IS NOT NULL', encode(entryId)) !== undefined;
}

/** Not at the version at which it was read for the decision. */
const CHANGED_NOTIFICATION = `SELECT 1 FROM json_each(?3) v LEFT JOIN notifications n ON n.id = v.value ->> 0
  WHERE coalesce(n.version, 0) <> v.value ->> 1`;
const CHANGED_SESSION = `SELECT 1 FROM json_each(?4) v LEFT JOIN sessions s ON s.host = v.value ->> 0 AND s.user = v.value ->> 1
  AND s.agent = v.value ->> 2 AND s.session = v.value ->> 3 WHERE coalesce(s.version, 0) <> v.value ->> 4`;
/** Nothing is marked where it was decided before, or where anything has changed. */
const MARK = `INSERT INTO journal (id, source, started_at, received_at, decided_at, header)
  SELECT ?1, 'timer', ?2, ?2, ?2, '{}' WHERE NOT EXISTS (${CHANGED_NOTIFICATION}) AND NOT EXISTS (${CHANGED_SESSION})
  ON CONFLICT (id) DO UPDATE SET decided_at = excluded.decided_at WHERE decided_at IS NULL`;

/** Marks the entry as decided, if it is not and all that was read for the decision stands as it was read. */
function mark(db: Database, { entryId, at, notifications, sessions }: Decision): 'written' | 'already' | 'conflict' {
  const versions = JSON.stringify(notifications.map(({ id, version }) => [encode(id), version]));
  const records = JSON.stringify(sessions.map((record) => [...sessionColumns(record), record.version]));
  if (db.run(MARK, encode(entryId), at, versions, records) > 0) return 'written';
  return isDecided(db, entryId) ? 'already' : 'conflict';
}

function commit(context: WriteContext, decision: Decision): 'written' | 'already' | 'conflict' {
  const { db } = context;
  const result = mark(db, decision);
  if (result !== 'written') return result;
  const { at, timers } = decision;
  for (const decided of decision.events) upsertEvent(context, decided);
  for (const notification of decision.notifications) writeNotification(context, notification);
  for (const held of decision.rehold ?? []) reholdDelivery(context, held, at);
  for (const cancelled of decision.cancel) cancelDeliveries(context, cancelled, at);
  for (const rewrite of decision.rewrite ?? []) rewriteDelivery(context, rewrite, at);
  for (const delivery of decision.deliveries) {
    const send = delivery.operation === 'send' ? 'there' : sendOf(db, delivery);
    if (send === 'there') insertDelivery(context, delivery);
    else if (send !== null) insertDelivery(context, { ...delivery, due: send.due, scheduled: true });
  }
  clearTimers(db, timers.clear);
  for (const timer of timers.set) insertTimer(db, timer, at);
  for (const record of decision.sessions) writeSession(context, record);
  return result;
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
export function events(context: WriteContext): Pick<Store, 'event' | 'events' | 'commit'> {
  const { db, writer } = context;
  return {
    ...eventReads(db),
    commit: (decisions) => writer.write(() => decisions.map((decision) => commit(context, decision))),
  };
}

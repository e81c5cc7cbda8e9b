// Deliveries with what they do to a notification, and the notifications of those that are still to come.
import type { Whereabouts } from '../../../model/session/whereabouts.ts';
import { notificationIdOf, sessionKeyText } from '../../../model/ids.ts';
import type { Database, Row, Value } from '../../sqlite/engine/database.ts';
import { decode, encode } from '../../encoding.ts';
import { eventOf } from './events.ts';
import { type Json, objectOf, rowsOf, textOf } from './rows.ts';

// head: 1 for the first unfinished delivery of its line (channel and thread key), so a claim looks at heads only; one that is scheduled
// is in no line yet.
const TABLE = `
CREATE TABLE deliveries_5 (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  notification_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  thread_key TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('send', 'update', 'retract')),
  revision INTEGER NOT NULL,
  step INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'leased', 'sent', 'paused', 'cancelled', 'superseded', 'dead')),
  head INTEGER NOT NULL CHECK (head IN (0, 1)),
  scheduled INTEGER NOT NULL CHECK (scheduled IN (0, 1)),
  attempts INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  deferrals INTEGER NOT NULL,
  unknowns INTEGER NOT NULL,
  due INTEGER NOT NULL,
  unless TEXT NOT NULL CHECK (unless IN ('resolved', 'acknowledged', 'none')),
  only_when TEXT NOT NULL CHECK (only_when IN ('always', 'away', 'idle')),
  owner TEXT,
  token TEXT,
  receipt TEXT CHECK (receipt IS NULL OR json_valid(receipt)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last TEXT CHECK (last IS NULL OR json_valid(last)),
  content TEXT NOT NULL CHECK (json_valid(content))
);`;

const REPLACE = `
DROP TABLE deliveries;
ALTER TABLE deliveries_5 RENAME TO deliveries;
CREATE INDEX deliveries_event ON deliveries (event_id);
CREATE INDEX deliveries_notification ON deliveries (notification_id, channel);
CREATE INDEX deliveries_line ON deliveries (channel, thread_key, seq)
  WHERE scheduled = 0 AND state IN ('pending', 'leased', 'paused');
CREATE INDEX deliveries_head ON deliveries (channel, state, due, seq) WHERE head = 1;
CREATE INDEX deliveries_scheduled ON deliveries (channel, due) WHERE scheduled = 1;
CREATE INDEX deliveries_dead ON deliveries (updated_at) WHERE state = 'dead';
CREATE INDEX deliveries_counted ON deliveries (state, channel) WHERE state <> '';`;

interface DeliveryRow extends Row {
  readonly number: number;
  readonly id: string;
  readonly event_id: string;
  readonly channel: string;
  readonly session_key: string;
  readonly state: string;
  readonly head: number;
  readonly attempts: number;
  readonly failures: number;
  readonly deferrals: number;
  readonly unknowns: number;
  readonly due: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last: string | null;
  readonly notification: string;
}

const COLUMNS =
  'id, event_id, channel, session_key, state, head, attempts, failures, deferrals, unknowns, due, created_at, updated_at, last, notification';
const INSERT = `INSERT INTO deliveries_5 VALUES (?, ?, ?, ?, ?, ?, 'send', 1, 0, ?, ?, 0, ?, ?, ?, ?, ?, 'none', 'always', NULL, NULL, NULL, ?, ?, ?, ?)`;
const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'paused']);
/** An open notification expires after a day. */
const DAY = 24 * 3_600_000;

/** Whoever held a lease is gone: nobody runs while a database is brought to another schema. */
function stateOf({ state }: DeliveryRow, event: Json): string {
  if (state === 'leased') return 'pending';
  if (state === 'parked') return 'paused';
  if (state === 'folded') return event['kind'] === 'channel.failing' ? 'cancelled' : 'superseded';
  return state;
}

/** `AGENT:SESSION` until now; the other forms name one event or one digest. */
function threadKeyOf(old: string, here: Whereabouts): string {
  const [, agent = '', sessionId] = /^([^:]*):([\s\S]*)$/.exec(old) ?? [];
  if (sessionId === undefined || agent === 'event' || agent === 'summary') return old;
  return sessionKeyText({ ...here, agent, sessionId });
}

/** Ids, order and counters stay. */
export function rebuildDeliveries(db: Database, here: Whereabouts): void {
  db.exec(TABLE);
  for (const row of rowsOf<DeliveryRow>(db, 'deliveries', 'seq', COLUMNS)) {
    const old = objectOf(row.notification);
    const event = eventOf(old['event'], here);
    const content = { ...old, event, events: [decode(row.event_id)] };
    const state = stateOf(row, event);
    const threadKey = threadKeyOf(decode(row.session_key), here);
    const notificationId = notificationIdOf(decode(row.event_id));
    const values: Value[] = [
      row.number,
      row.id,
      notificationId,
      row.event_id,
      row.channel,
      encode(threadKey),
      state,
      row.head,
      row.attempts,
      row.failures,
      row.deferrals,
      row.unknowns,
      row.state === 'leased' ? row.updated_at : row.due,
      row.created_at,
      row.updated_at,
      row.last,
      JSON.stringify(content),
    ];
    db.run(INSERT, ...values);
    if (UNFINISHED.has(state)) openNotification(db, row, notificationId, threadKey, content);
  }
  db.exec(REPLACE);
}

function openNotification(
  db: Database,
  { event_id, created_at, updated_at }: DeliveryRow,
  id: string,
  threadKey: string,
  content: { readonly event: Json } & Json,
): void {
  const { event } = content;
  const expiresAt = created_at + DAY;
  const row = {
    id,
    threadKey,
    kind: textOf(event['kind']),
    detail: event['detail'] ?? null,
    urgency: event['urgency'],
    state: 'open',
    revision: 1,
    version: 1,
    eventIds: [decode(event_id)],
    title: textOf(content['title']),
    createdAt: created_at,
    updatedAt: updated_at,
    acknowledged: null,
    resolved: null,
    expiresAt,
  };
  db.run(
    `INSERT INTO notifications (id, thread_key, state, version, updated_at, expires_at, notification)
     VALUES (?, ?, 'open', 1, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    id,
    encode(threadKey),
    updated_at,
    expiresAt,
    JSON.stringify(row),
  );
}

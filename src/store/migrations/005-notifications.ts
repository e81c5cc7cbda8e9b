// Schema 5. Notifications have rows of their own, deliveries say what they do to one and who holds them, sessions are of a machine and
// user, and what changed can be followed. Stored names are those of the model; rows of earlier versions are rewritten.
import { HERE } from '../../model/session/whereabouts.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { rewriteCursors } from './005/cursors.ts';
import { rebuildDeliveries } from './005/deliveries.ts';
import { rewriteEvents } from './005/events.ts';
import { rebuildSessions, rewriteTimers } from './005/sessions.ts';

const TABLES = `
CREATE TABLE notifications (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  thread_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved', 'expired')),
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  notification TEXT NOT NULL CHECK (json_valid(notification))
);
CREATE INDEX notifications_thread ON notifications (thread_key, state);
CREATE INDEX notifications_open ON notifications (expires_at) WHERE state IN ('open', 'acknowledged');
CREATE INDEX notifications_state ON notifications (state);

CREATE TABLE questions (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
  version INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  question TEXT NOT NULL CHECK (json_valid(question))
);
CREATE INDEX questions_open ON questions (row) WHERE state = 'open';

-- Numbers are never given twice, whatever is deleted.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  id TEXT NOT NULL
);
CREATE INDEX changes_at ON changes (at);

ALTER TABLE journal ADD COLUMN ordering_key TEXT;
ALTER TABLE journal ADD COLUMN owner TEXT;
ALTER TABLE journal ADD COLUMN token TEXT;
ALTER TABLE journal ADD COLUMN lease_until INTEGER;
CREATE INDEX journal_leased ON journal (lease_until) WHERE decided_at IS NULL AND token IS NOT NULL;

ALTER TABLE timers ADD COLUMN owner TEXT;
ALTER TABLE timers ADD COLUMN token TEXT;
ALTER TABLE timers ADD COLUMN lease_until INTEGER;
`;

const NAMES = `
UPDATE health SET health = json_remove(json_set(health, '$.pausedUntil', health -> '$.holdUntil'), '$.holdUntil')
  WHERE json_type(health, '$.holdUntil') IS NOT NULL;
UPDATE attempts SET attempt = json_set(attempt, '$.next', 'paused' || substr(attempt ->> '$.next', 7))
  WHERE attempt ->> '$.next' LIKE 'parked%';
DELETE FROM timers WHERE id = 'living';
`;

/** What is of no machine yet counts as of this one: a journal never moved. */
export function notifications(db: Database): void {
  db.exec(TABLES);
  db.exec(NAMES);
  rewriteEvents(db, HERE);
  rebuildSessions(db, HERE);
  rewriteTimers(db, HERE);
  rebuildDeliveries(db, HERE);
  rewriteCursors(db);
}

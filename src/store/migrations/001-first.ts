// Schema 1. Columns hold what is searched; the rest is JSON, written once. CHECKs let an integrity check find damaged text.

export const first = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE journal (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  decided_at INTEGER,
  header TEXT NOT NULL CHECK (json_valid(header))
);
CREATE INDEX journal_undecided ON journal (started_at, row) WHERE decided_at IS NULL;

CREATE TABLE raws (
  row INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  bytes BLOB NOT NULL
);

CREATE TABLE events (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  session TEXT,
  fingerprint TEXT,
  event TEXT NOT NULL CHECK (json_valid(event)),
  verdicts TEXT NOT NULL CHECK (json_valid(verdicts))
);
CREATE INDEX events_at ON events (at);
CREATE INDEX events_fingerprint ON events (fingerprint, at) WHERE fingerprint IS NOT NULL;

-- head: 1 for the first unfinished delivery of its line (channel and session key), so a claim looks at heads only.
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  session_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'leased', 'sent', 'parked', 'folded', 'dead')),
  head INTEGER NOT NULL CHECK (head IN (0, 1)),
  attempts INTEGER NOT NULL,
  due INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last TEXT CHECK (last IS NULL OR json_valid(last)),
  notification TEXT NOT NULL CHECK (json_valid(notification))
);
CREATE INDEX deliveries_event ON deliveries (event_id);
CREATE INDEX deliveries_line ON deliveries (channel, session_key, seq) WHERE state IN ('pending', 'leased', 'parked');
CREATE INDEX deliveries_head ON deliveries (channel, state, due, seq) WHERE head = 1;
CREATE INDEX deliveries_dead ON deliveries (updated_at) WHERE state = 'dead';

CREATE TABLE attempts (
  delivery_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  attempt TEXT NOT NULL CHECK (json_valid(attempt)),
  PRIMARY KEY (delivery_id, number)
) WITHOUT ROWID;

CREATE TABLE timers (
  id TEXT PRIMARY KEY,
  due INTEGER NOT NULL,
  set_at INTEGER NOT NULL,
  timer TEXT NOT NULL CHECK (json_valid(timer))
);
CREATE INDEX timers_due ON timers (due);

CREATE TABLE sessions (
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  last_event INTEGER NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record)),
  PRIMARY KEY (agent, session)
);
CREATE INDEX sessions_last ON sessions (last_event);

CREATE TABLE silences (id TEXT PRIMARY KEY, until INTEGER, silence TEXT NOT NULL CHECK (json_valid(silence)));
CREATE TABLE health (channel TEXT PRIMARY KEY, health TEXT NOT NULL CHECK (json_valid(health)));
CREATE TABLE cursors (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value)));
`;

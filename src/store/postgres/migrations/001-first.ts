// Schema 1 of a hub. Columns hold what is searched; a `body` is JSON as it was written, in which text that PostgreSQL refuses is escaped.
// Times are Unix ms, as everywhere; `machine` says whose a row is, `rev` grows with each write here. Ids compare by their bytes, so that
// the index that finds one also finds those that begin with a text.

const STATES = `('pending', 'leased', 'sent', 'paused', 'cancelled', 'superseded', 'dead')`;
/** In a line; one that is scheduled enters it when it becomes due. */
const IN_LINE = `NOT scheduled AND state IN ('pending', 'leased', 'paused')`;

export const first = `
CREATE SEQUENCE event_numbers;
CREATE TABLE event (
  org int NOT NULL,
  machine text NOT NULL,
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  row bigint NOT NULL DEFAULT nextval('event_numbers'),
  version int NOT NULL DEFAULT 1,
  person text,
  team text,
  kind text NOT NULL,
  agent text NOT NULL,
  urgency text NOT NULL,
  session text,
  fingerprint text,
  body text NOT NULL,
  verdicts text NOT NULL,
  PRIMARY KEY (org, machine, id, at)
) PARTITION BY RANGE (at);
-- Of clocks that are years away, and of days whose partition is not made yet.
CREATE TABLE event_default PARTITION OF event DEFAULT;
CREATE INDEX event_at ON event (org, at, row);
CREATE INDEX event_row ON event (org, row);
CREATE INDEX event_kind ON event (org, kind, at);
CREATE INDEX event_id ON event (org, id);
CREATE INDEX event_session ON event (org, session, at) WHERE session IS NOT NULL;
CREATE INDEX event_fingerprint ON event (org, machine, fingerprint, row) WHERE fingerprint IS NOT NULL;

CREATE TABLE session (
  org int NOT NULL,
  machine text NOT NULL,
  key text NOT NULL,
  rev int NOT NULL,
  person text,
  team text,
  agent text NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent text,
  state text NOT NULL,
  last_event bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (org, machine, key)
);
CREATE INDEX session_last ON session (org, last_event);
CREATE INDEX session_team ON session (org, team, last_event);
CREATE INDEX session_person ON session (org, person, last_event);
CREATE INDEX session_parent ON session (org, machine, parent, last_event) WHERE parent IS NOT NULL;
CREATE INDEX session_agent ON session (org, agent, last_event);
CREATE INDEX session_id ON session (org, id);

CREATE SEQUENCE notification_numbers;
CREATE TABLE notification (
  org int NOT NULL,
  machine text NOT NULL,
  id text COLLATE "C" NOT NULL,
  row bigint NOT NULL DEFAULT nextval('notification_numbers'),
  rev int NOT NULL,
  person text,
  team text,
  thread text NOT NULL,
  kind text NOT NULL,
  urgency text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved', 'expired')),
  opened_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  events text[] NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (org, machine, id)
);
CREATE INDEX notification_state ON notification (org, state, row);
CREATE INDEX notification_row ON notification (org, row);
CREATE INDEX notification_team ON notification (org, team, opened_at, id);
CREATE INDEX notification_person ON notification (org, person, opened_at, id);
CREATE INDEX notification_thread ON notification (org, machine, thread, row);
CREATE INDEX notification_not_over ON notification (org, machine, thread, kind, row) WHERE state IN ('open', 'acknowledged');
CREATE INDEX notification_id ON notification (org, id);

-- Of which events a group or a digest is; a notification of one event is found by its own id.
CREATE TABLE covered (
  org int NOT NULL,
  machine text NOT NULL,
  event text NOT NULL,
  notification text NOT NULL,
  PRIMARY KEY (org, machine, event, notification)
);

-- What people are shown, once for all channels that show the same.
CREATE TABLE content (
  org int NOT NULL,
  machine text NOT NULL,
  notification text NOT NULL,
  hash text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (org, machine, notification, hash)
);

-- head: the first unfinished delivery of its line (channel, machine and thread), so that a claim looks at heads only.
-- turn: what goes first; a lease that ran out is of one that was to go out before all that wait.
CREATE SEQUENCE delivery_numbers;
CREATE TABLE delivery (
  org int NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('delivery_numbers'),
  id text COLLATE "C" NOT NULL,
  machine text NOT NULL,
  person text,
  team text,
  notification text NOT NULL,
  event text NOT NULL,
  channel text NOT NULL,
  thread text NOT NULL,
  operation text NOT NULL CHECK (operation IN ('send', 'update', 'retract')),
  revision int NOT NULL,
  step int NOT NULL,
  content text NOT NULL,
  state text NOT NULL CHECK (state IN ${STATES}),
  head boolean NOT NULL DEFAULT false,
  urgent boolean NOT NULL,
  priority boolean NOT NULL DEFAULT false,
  turn smallint NOT NULL GENERATED ALWAYS AS
    (CASE WHEN priority THEN 0 ELSE 2 END + CASE WHEN state = 'leased' THEN 0 ELSE 1 END) STORED,
  scheduled boolean NOT NULL,
  attempts int NOT NULL,
  failures int NOT NULL,
  deferrals int NOT NULL,
  unknowns int NOT NULL,
  due bigint NOT NULL,
  unless text NOT NULL CHECK (unless IN ('resolved', 'acknowledged', 'none')),
  only_when text NOT NULL CHECK (only_when IN ('always', 'away', 'idle')),
  held_by text,
  owner text,
  token text,
  attempt_log text[] NOT NULL DEFAULT '{}',
  receipt text,
  last_reason text,
  last_error text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (org, id)
);
CREATE UNIQUE INDEX delivery_seq ON delivery (org, seq);
CREATE INDEX delivery_notification ON delivery (org, machine, notification, channel);
CREATE INDEX delivery_event ON delivery (org, machine, event);
CREATE INDEX delivery_line ON delivery (org, channel, machine, thread, seq) WHERE ${IN_LINE};
CREATE INDEX delivery_urgent ON delivery (org, channel, machine, thread) WHERE urgent AND ${IN_LINE};
CREATE INDEX delivery_first ON delivery (org, channel, machine, thread) WHERE head;
CREATE INDEX delivery_turn ON delivery (org, channel, turn, due, seq) WHERE head AND state IN ('pending', 'leased');
CREATE INDEX delivery_changes ON delivery (org, channel, turn, due, seq)
  WHERE head AND state IN ('pending', 'leased') AND operation <> 'send';
CREATE INDEX delivery_paused ON delivery (org, channel, attempts, due, seq) WHERE head AND state = 'paused';
CREATE INDEX delivery_scheduled ON delivery (org, channel, due) WHERE scheduled AND held_by IS NULL AND state = 'pending';
CREATE INDEX delivery_held ON delivery (org, held_by) WHERE held_by IS NOT NULL AND state = 'pending';
CREATE INDEX delivery_state ON delivery (org, state, channel, seq);
CREATE INDEX delivery_age ON delivery (org, created_at) WHERE state IN ('pending', 'leased', 'paused');

CREATE SEQUENCE question_numbers;
CREATE TABLE question (
  org int NOT NULL,
  machine text NOT NULL,
  id text COLLATE "C" NOT NULL,
  row bigint NOT NULL DEFAULT nextval('question_numbers'),
  rev int NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
  notification text NOT NULL,
  deadline bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (org, machine, id)
);
CREATE INDEX question_row ON question (org, row);
CREATE INDEX question_open ON question (org, row) WHERE state = 'open';
CREATE INDEX question_id ON question (org, id);

CREATE TABLE timer (
  org int NOT NULL,
  id text COLLATE "C" NOT NULL,
  due bigint NOT NULL,
  set_at bigint NOT NULL,
  body text NOT NULL,
  owner text,
  token text,
  lease_until bigint,
  PRIMARY KEY (org, id)
);
CREATE INDEX timer_due ON timer (org, due, set_at, id);
CREATE INDEX timer_leased ON timer (org, lease_until) WHERE token IS NOT NULL;

CREATE TABLE mute (org int NOT NULL, id text NOT NULL, version int NOT NULL DEFAULT 1, until bigint, body text NOT NULL, PRIMARY KEY (org, id));
CREATE TABLE health (org int NOT NULL, channel text NOT NULL, body text NOT NULL, PRIMARY KEY (org, channel));

-- What was decided already: the fact or the timer that a decision was made for.
CREATE TABLE decided (org int NOT NULL, machine text NOT NULL, id text NOT NULL, at bigint NOT NULL, PRIMARY KEY (org, machine, id));
CREATE INDEX decided_at ON decided (org, at);

-- Hints for those who follow: a server that ends without notice empties both tables, and so the feed's epoch is another one then.
CREATE UNLOGGED TABLE change (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  n bigint GENERATED ALWAYS AS IDENTITY,
  org int NOT NULL,
  at bigint NOT NULL,
  type text NOT NULL,
  machine text NOT NULL,
  id text NOT NULL
);
CREATE INDEX change_xid ON change (org, xid, n);
CREATE INDEX change_at ON change (org, at);
-- forgotten: changes up to this transaction are not all kept any more. made: the transaction that wrote the row.
CREATE UNLOGGED TABLE feed (
  org int PRIMARY KEY,
  epoch text NOT NULL,
  forgotten xid8 NOT NULL,
  made xid8 NOT NULL
);
`;

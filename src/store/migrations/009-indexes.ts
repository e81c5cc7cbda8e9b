// Schema 9. Each statement finds its rows by an index, however much history and backlog there is.

/**
 * deliveries_state counts, and finds what a channel has in a state. deliveries_touched: what a clock set back or an age
 * has to look at.
 * `kind` beside a notification's state: a signal of a session reads only those that it can end.
 */
export const indexes = `
DROP INDEX deliveries_counted;
CREATE INDEX deliveries_state ON deliveries (state, channel, scheduled);
CREATE INDEX deliveries_touched ON deliveries (updated_at, created_at) WHERE state IN ('pending', 'leased', 'paused');
DROP INDEX deliveries_scheduled;
CREATE INDEX deliveries_scheduled ON deliveries (channel, due) WHERE scheduled = 1 AND held_by IS NULL;
DROP INDEX deliveries_held;
CREATE INDEX deliveries_held ON deliveries (held_by) WHERE held_by IS NOT NULL AND state = 'pending';

CREATE INDEX events_kind ON events (kind, at);

ALTER TABLE notifications ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE notifications SET kind = iif(json_valid(notification), coalesce(notification ->> '$.kind', ''), '');
DROP INDEX notifications_thread;
CREATE INDEX notifications_not_over ON notifications (thread_key, kind) WHERE state IN ('open', 'acknowledged');
CREATE INDEX notifications_over ON notifications (updated_at) WHERE state IN ('resolved', 'expired');

CREATE INDEX questions_deadline ON questions (deadline);
CREATE INDEX sessions_agent ON sessions (agent, last_event);

DROP INDEX timers_due;
CREATE INDEX timers_due ON timers (due, set_at);
CREATE INDEX timers_leased ON timers (owner) WHERE token IS NOT NULL;
`;

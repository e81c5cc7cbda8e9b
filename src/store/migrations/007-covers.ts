// Schema 7. A group or a digest is found by each of the events that it covers.
export const covers = `
CREATE TABLE notification_events (
  event_id TEXT NOT NULL,
  notification_id TEXT NOT NULL,
  PRIMARY KEY (event_id, notification_id)
) WITHOUT ROWID;
CREATE INDEX notification_events_of ON notification_events (notification_id);
CREATE INDEX notifications_latest ON notifications (thread_key, row);
INSERT OR IGNORE INTO notification_events (event_id, notification_id)
  SELECT e.value, n.id FROM notifications n, json_each(n.notification, '$.eventIds') e WHERE n.thread_key LIKE 'digest:%';
`;

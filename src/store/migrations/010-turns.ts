// Schema 10. What is urgent goes first: marked where it is, and at the first row of its line. Undecided inputs are found by their session.

const UNFINISHED = `('pending', 'leased', 'paused')`;

export const turns = `
ALTER TABLE deliveries ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
UPDATE deliveries SET urgent = 1 WHERE operation = 'send' AND state IN ('pending', 'leased', 'paused', 'dead')
  AND iif(json_valid(content), content ->> '$.urgency', '') = 'urgent';
CREATE INDEX deliveries_urgent ON deliveries (channel, thread_key)
  WHERE urgent = 1 AND scheduled = 0 AND state IN ${UNFINISHED};
UPDATE deliveries SET priority = 1 WHERE head = 1 AND EXISTS (SELECT 1 FROM deliveries u
  WHERE u.channel = deliveries.channel AND u.thread_key = deliveries.thread_key
    AND u.urgent = 1 AND u.scheduled = 0 AND u.state IN ${UNFINISHED});
CREATE INDEX deliveries_first ON deliveries (channel, thread_key) WHERE head = 1;
CREATE INDEX deliveries_priority ON deliveries (channel, state, due, seq) WHERE head = 1 AND priority = 1;
CREATE INDEX deliveries_changes ON deliveries (channel, state, due, seq) WHERE head = 1 AND operation <> 'send';
CREATE INDEX journal_ordering ON journal (ordering_key) WHERE decided_at IS NULL;
`;

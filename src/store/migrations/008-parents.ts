// Schema 8. The sessions that another one began are found by it: every finish asks for them.
export const parents = `
ALTER TABLE sessions ADD COLUMN parent TEXT;
CREATE INDEX sessions_parent ON sessions (parent, last_event) WHERE parent IS NOT NULL;
UPDATE sessions SET parent = record ->> '$.parentSessionId'
  WHERE json_valid(record) AND json_type(record, '$.parentSessionId') = 'text';
`;

// Schema 13. Every row that others may follow has a version; what the person says of this machine is one. Entries are leased no more.

export const versions = `
ALTER TABLE events ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE silences ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

CREATE TABLE machine (
  row INTEGER PRIMARY KEY CHECK (row = 1),
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (json_valid(state))
);
INSERT INTO machine (row, version, state) SELECT 1, 1, value FROM cursors WHERE key = 'away' AND json_valid(value);
DELETE FROM cursors WHERE key = 'away';

DROP INDEX journal_leased;
ALTER TABLE journal DROP COLUMN owner;
ALTER TABLE journal DROP COLUMN token;
ALTER TABLE journal DROP COLUMN lease_until;
`;

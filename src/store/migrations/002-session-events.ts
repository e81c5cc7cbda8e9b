// Schema 2. The latest events of one session are asked for with every event: found by an index, not by walking all of that second.

export const sessionEvents = `
CREATE INDEX events_session ON events (session, at) WHERE session IS NOT NULL;
`;

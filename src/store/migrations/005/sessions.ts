// Sessions of a machine and user, with their fields under new names, and the timers that name sessions.
import type { Whereabouts } from '../../../model/session/whereabouts.ts';
import { sessionKeyText } from '../../../model/ids.ts';
import type { Database, Row } from '../../sqlite/engine/database.ts';
import { encode } from '../../encoding.ts';
import { type Json, objectOf, renamed, rowsOf, textOf } from './rows.ts';

const TABLE = `
CREATE TABLE sessions_5 (
  host TEXT NOT NULL,
  user TEXT NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  last_event INTEGER NOT NULL,
  version INTEGER NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record)),
  PRIMARY KEY (host, user, agent, session)
);`;

const REPLACE = `
DROP TABLE sessions;
ALTER TABLE sessions_5 RENAME TO sessions;
CREATE INDEX sessions_last ON sessions (last_event);
CREATE INDEX sessions_id ON sessions (session);`;

const FIELDS = { finishTold: 'finishedSincePrompt', lastWords: 'lastAssistantMessage', marks: 'memory' };

function recordOf(old: string, here: Whereabouts): Json {
  const record = renamed(objectOf(old), FIELDS);
  const memory = renamed(objectOf(record['memory']), { moments: 'openRequests' });
  const end = memory['end'] === undefined ? {} : { end: renamed(objectOf(memory['end']), { left: 'exitedQuietly' }) };
  return { ...record, ...here, version: 1, memory: { ...memory, ...end } };
}

interface SessionRow extends Row {
  readonly agent: string;
  readonly session: string;
  readonly last_event: number;
  readonly record: string;
}

/** Nothing is known of other machines before schema 5. */
export function rebuildSessions(db: Database, here: Whereabouts): void {
  db.exec(TABLE);
  for (const row of rowsOf<SessionRow>(db, 'sessions', 'rowid', 'agent, session, last_event, record'))
    db.run(
      'INSERT INTO sessions_5 (host, user, agent, session, last_event, version, record) VALUES (?, ?, ?, ?, ?, 1, ?)',
      encode(here.host),
      encode(here.user),
      row.agent,
      row.session,
      row.last_event,
      JSON.stringify(recordOf(row.record, here)),
    );
  db.exec(REPLACE);
}

interface TimerRow extends Row {
  readonly number: number;
  readonly timer: string;
}

/** A timer is named by its session's key. */
export function rewriteTimers(db: Database, here: Whereabouts): void {
  for (const { number, timer: text } of [...rowsOf<TimerRow>(db, 'timers', 'rowid', 'timer')]) {
    const timer = objectOf(text);
    const kind = textOf(timer['kind']);
    if (kind !== 'hold' && kind !== 'stall') continue;
    const data = objectOf(timer['data']);
    const key = sessionKeyText({ ...here, agent: textOf(data['agent']), sessionId: textOf(data['session']) });
    const id = `${kind}:${key}`;
    const json = JSON.stringify({ ...timer, id, data: { ...data, ...here } });
    db.run('UPDATE OR REPLACE timers SET id = ?, timer = ? WHERE rowid = ?', encode(id), json, number);
  }
}

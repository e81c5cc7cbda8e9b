// What stages and workers know beyond one event: sessions, silences, channel health, cursors.
import { type SessionKey, sessionKeyText } from '../../model/ids.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { type Silence, silencesInForce } from '../../model/event/verdict.ts';
import type { ChannelHealth, Store, StoredSilence, StoreReader } from '../contract.ts';
import type { WriteContext } from './engine/context.ts';
import type { Database } from './engine/database.ts';
import { encode, decode, parseJson } from '../encoding.ts';

interface SessionRow {
  readonly version: number;
  readonly record: string;
}

/** A damaged row counts as none. */
export function recordOf({ version, record }: SessionRow): readonly SessionRecord[] {
  const kept = parseJson<SessionRecord>(record);
  return kept === undefined ? [] : [{ ...kept, version }];
}

const ONE = 'FROM sessions WHERE host = ? AND user = ? AND agent = ? AND session = ?';
/** What names a session, in the form of its columns. */
export const sessionColumns = ({ host, user, agent, sessionId }: SessionKey): string[] =>
  [host, user, agent, sessionId].map((part) => encode(part));

/** The session's row; null: there is none. */
export function sessionOf(db: Database, key: SessionKey): SessionRecord | null {
  const row = db.get<SessionRow>(`SELECT version, record ${ONE}`, ...sessionColumns(key));
  return row ? (recordOf(row)[0] ?? null) : null;
}

/** Adds a session's row or replaces it, with the next version. */
export function writeSession({ db, changes }: WriteContext, record: SessionRecord): void {
  const version = record.version + 1;
  db.run(
    `INSERT INTO sessions (host, user, agent, session, parent, last_event, version, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (host, user, agent, session) DO UPDATE
     SET parent = excluded.parent, last_event = excluded.last_event, version = excluded.version, record = excluded.record`,
    ...sessionColumns(record),
    record.parentSessionId === null ? null : encode(record.parentSessionId),
    record.lastEvent,
    version,
    JSON.stringify({ ...record, version }),
  );
  changes.note('session', sessionKeyText(record));
}

// Each JSON column below is written from the type it is read as; a damaged row counts as none.
const silencesOf = (db: Database): StoredSilence[] =>
  db.all<{ version: number; silence: string }>('SELECT version, silence FROM silences').flatMap((row) => {
    const kept = parseJson<Silence>(row.silence);
    return kept === undefined ? [] : [{ ...kept, version: row.version }];
  });

/** From one agent to the next in the index, however many sessions each has. */
const LAST_EVENTS = `WITH RECURSIVE found (agent) AS (
    SELECT min(agent) FROM sessions
    UNION ALL
    SELECT (SELECT min(s.agent) FROM sessions s WHERE s.agent > found.agent) FROM found WHERE found.agent IS NOT NULL)
  SELECT agent, (SELECT max(last_event) FROM sessions s WHERE s.agent = found.agent) AS at
  FROM found WHERE agent IS NOT NULL`;

/** The reads of this state. */
export function stateReads(
  db: Database,
): Pick<StoreReader, 'sessions' | 'session' | 'lastEvents' | 'silences' | 'health'> {
  return {
    sessions: async ({ since = 0, hasProcess, ...named }) => {
      const fields = (['agent', 'parent'] as const).flatMap((field) => {
        const value = named[field];
        return value === undefined ? [] : [{ test: ` AND ${field} = ?`, value: encode(value) }];
      });
      // In JSON text a quote within a string is escaped: this is found nowhere else, and without reading every record.
      const withProcess = hasProcess ? ` AND instr(record, '"process":{') > 0` : '';
      const tests = fields.map(({ test }) => test).join('') + withProcess;
      const sql = `SELECT version, record FROM sessions WHERE last_event >= ?${tests} ORDER BY last_event`;
      return db.all<SessionRow>(sql, since, ...fields.map(({ value }) => value)).flatMap(recordOf);
    },
    session: async (key) => sessionOf(db, key),
    lastEvents: async () => {
      const rows = db.all<{ agent: string; at: number }>(LAST_EVENTS);
      return new Map(rows.map(({ agent, at }) => [decode(agent), at]));
    },
    silences: async (now) => silencesInForce(silencesOf(db), now),
    health: async () =>
      db
        .all<{ health: string }>('SELECT health FROM health ORDER BY channel')
        .flatMap((row) => parseJson<ChannelHealth>(row.health) ?? []),
  };
}

/** The writes of this state. */
export function state(
  context: WriteContext,
): Pick<
  Store,
  'setHealth' | 'putSilence' | 'removeSilences' | 'machine' | 'setMachine' | 'noteSettings' | 'cursor' | 'setCursor'
> {
  const { db, writer, changes } = context;
  return {
    setHealth: (health) =>
      writer.write(() => {
        db.run(
          'INSERT INTO health (channel, health) VALUES (?, ?) ON CONFLICT (channel) DO UPDATE SET health = excluded.health',
          encode(health.channel),
          JSON.stringify(health),
        );
        changes.note('health', health.channel);
      }),
    putSilence: (silence) =>
      writer.write(() => {
        db.run(
          `INSERT INTO silences (id, until, silence) VALUES (?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET version = version + 1, until = excluded.until, silence = excluded.silence`,
          encode(silence.id),
          silence.until,
          JSON.stringify(silence),
        );
        changes.note('mute', silence.id);
      }),
    removeSilences: (match) =>
      writer.write(() => {
        const keys = ['id', 'session', 'cwd', 'channel'] as const;
        const matching = silencesOf(db).filter((s) => keys.every((k) => match[k] === undefined || match[k] === s[k]));
        for (const { id } of matching) {
          db.run('DELETE FROM silences WHERE id = ?', encode(id));
          changes.note('mute', id);
        }
        return matching.length;
      }),
    machine: async () => {
      const row = db.get<{ version: number; state: string }>('SELECT version, state FROM machine');
      return row ? { version: row.version, state: parseJson<unknown>(row.state) ?? null } : null;
    },
    setMachine: (given) =>
      writer.write(() => {
        db.run(
          `INSERT INTO machine (row, version, state) VALUES (1, 1, ?)
           ON CONFLICT (row) DO UPDATE SET version = version + 1, state = excluded.state`,
          JSON.stringify(given ?? null),
        );
        changes.note('machine', '');
      }),
    noteSettings: () => writer.write(() => changes.note('settings', '')),
    cursor: async (key) => {
      const row = db.get<{ value: string }>('SELECT value FROM cursors WHERE key = ?', encode(key));
      return row ? (parseJson<unknown>(row.value) ?? null) : null;
    },
    setCursor: (key, value) =>
      writer.write(() => {
        db.run(
          'INSERT INTO cursors (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
          encode(key),
          JSON.stringify(value ?? null),
        );
      }),
  };
}

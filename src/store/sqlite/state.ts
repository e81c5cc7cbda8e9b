// What stages and workers know beyond one event: sessions, silences, channel health, cursors.
import type { SessionRecord } from '../../model/session.ts';
import type { Silence } from '../../model/verdict.ts';
import type { ChannelHealth, Store, StoreReader } from '../contract.ts';
import type { Database } from './database.ts';
import { encode, decode, parseJson } from './encoding.ts';
import type { Writer } from './group-commit.ts';

/** Adds a session's row or replaces it. */
export function upsertSession(db: Database, record: SessionRecord): void {
  db.run(
    `INSERT INTO sessions (agent, session, last_event, record) VALUES (?, ?, ?, ?)
     ON CONFLICT (agent, session) DO UPDATE SET last_event = excluded.last_event, record = excluded.record`,
    encode(record.agent),
    encode(record.sessionId),
    record.lastEvent,
    JSON.stringify(record),
  );
}

// Each JSON column below is written from the type it is read as; a damaged row counts as none.
const silencesOf = (db: Database): Silence[] =>
  db.all<{ silence: string }>('SELECT silence FROM silences').flatMap((row) => parseJson<Silence>(row.silence) ?? []);

/** The reads of this state. */
export function stateReads(
  db: Database,
): Pick<StoreReader, 'sessions' | 'session' | 'lastEvents' | 'silences' | 'health'> {
  return {
    sessions: async ({ since = 0, agent }) =>
      db
        .all<{ record: string }>(
          `SELECT record FROM sessions WHERE last_event >= ? ${agent === undefined ? '' : 'AND agent = ?'} ORDER BY last_event`,
          since,
          ...(agent === undefined ? [] : [encode(agent)]),
        )
        .flatMap((row) => parseJson<SessionRecord>(row.record) ?? []),
    session: async (agent, sessionId) => {
      const row = db.get<{ record: string }>(
        'SELECT record FROM sessions WHERE agent = ? AND session = ?',
        encode(agent),
        encode(sessionId),
      );
      return row ? (parseJson<SessionRecord>(row.record) ?? null) : null;
    },
    lastEvents: async () => {
      const rows = db.all<{ agent: string; at: number }>(
        'SELECT agent, max(last_event) AS at FROM sessions GROUP BY agent',
      );
      return new Map(rows.map(({ agent, at }) => [decode(agent), at]));
    },
    silences: async (now) => silencesOf(db).filter((s) => s.until === null || s.until > now),
    health: async () =>
      db
        .all<{ health: string }>('SELECT health FROM health ORDER BY channel')
        .flatMap((row) => parseJson<ChannelHealth>(row.health) ?? []),
  };
}

/** The writes of this state. */
export function state(
  db: Database,
  writer: Writer,
): Pick<Store, 'setHealth' | 'putSilence' | 'removeSilences' | 'putSession' | 'cursor' | 'setCursor'> {
  return {
    setHealth: (health) =>
      writer.write(() => {
        db.run(
          'INSERT INTO health (channel, health) VALUES (?, ?) ON CONFLICT (channel) DO UPDATE SET health = excluded.health',
          encode(health.channel),
          JSON.stringify(health),
        );
      }),
    putSilence: (silence) =>
      writer.write(() => {
        db.run(
          `INSERT INTO silences (id, until, silence) VALUES (?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET until = excluded.until, silence = excluded.silence`,
          encode(silence.id),
          silence.until,
          JSON.stringify(silence),
        );
      }),
    removeSilences: (match) =>
      writer.write(() => {
        const keys = ['session', 'cwd', 'channel'] as const;
        const matching = silencesOf(db).filter((s) => keys.every((k) => match[k] === undefined || match[k] === s[k]));
        return matching.reduce((sum, s) => sum + db.run('DELETE FROM silences WHERE id = ?', encode(s.id)), 0);
      }),
    putSession: (record) => writer.write(() => upsertSession(db, record)),
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

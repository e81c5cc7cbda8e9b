// The statements that write the rows of decisions: what is decided already, events, notifications, sessions. Each list is written in the order
// of its key: two replicas that wrote the same rows in other orders would each wait for the other.
import { noted } from '../changes.ts';
import { given, type Statement } from '../connection.ts';

/** Of these rows of a decision, none is at another rev than it was read at. */
const unchanged = (org: number, table: string, key: string, list: string): string => `NOT EXISTS (
    SELECT 1 FROM json_to_recordset(e.${list}) AS v(id text, rev int)
    LEFT JOIN ${table} t ON t.org = ${org} AND t.machine = e.machine AND t.${key} = v.id WHERE coalesce(t.rev, 0) <> v.rev)`;

/** What becomes of each decision: one that was taken is marked as such, and the statements after this one write what is of those. */
export const verdicts = (org: number, name: string): Statement => `WITH entry AS MATERIALIZED (
    SELECT * FROM ${given(name, 'n int, machine text, id text, at bigint, notifications json, sessions json')}),
  fresh AS MATERIALIZED (SELECT * FROM entry e WHERE ${unchanged(org, 'notification', 'id', 'notifications')} AND ${unchanged(org, 'session', 'key', 'sessions')}),
  marked AS (INSERT INTO decided (org, machine, id, at) SELECT ${org}, machine, id, at FROM fresh ORDER BY machine, id
    ON CONFLICT DO NOTHING RETURNING machine, id),
  verdict AS MATERIALIZED (SELECT e.n, CASE WHEN m.id IS NOT NULL THEN 'written'
      WHEN f.n IS NOT NULL OR EXISTS (SELECT 1 FROM decided d WHERE d.org = ${org} AND d.machine = e.machine AND d.id = e.id) THEN 'already'
      ELSE 'conflict' END AS verdict
    FROM entry e LEFT JOIN fresh f ON f.n = e.n LEFT JOIN marked m ON m.machine = e.machine AND m.id = e.id)
  SELECT n, verdict, set_config('belfry.written',
    (SELECT coalesce(array_agg(n), '{}')::text FROM verdict WHERE verdict = 'written'), true) FROM verdict`;

/** Rows are numbered in the order in which they were decided, and written in that of their keys. */
const numbered = (sequence: string, rows: string, where: string): string =>
  `(SELECT placed.*, nextval('${sequence}') AS row FROM (SELECT * FROM ${rows} WHERE ${where} ORDER BY n, place) placed) x`;

/** An event that is there gets what is said of it now; its verdicts grow. */
export const writeEvents = (org: number, name: string, where: string): Statement => `WITH done AS (
    INSERT INTO event (org, row, machine, id, at, person, team, kind, agent, urgency, session, fingerprint, body, verdicts)
    SELECT ${org}, row, machine, id, at, person, team, kind, agent, urgency, session, fingerprint, body, verdicts FROM ${numbered(
      'event_numbers',
      given(
        name,
        'n int, place int, machine text, id text, at bigint, person text, team text, kind text, agent text, urgency text, session text, fingerprint text, body text, verdicts text',
      ),
      where,
    )} ORDER BY machine, id, at
    ON CONFLICT (org, machine, id, at) DO UPDATE SET version = event.version + 1, body = excluded.body, urgency = excluded.urgency,
      verdicts = CASE '[]' WHEN event.verdicts THEN excluded.verdicts WHEN excluded.verdicts THEN event.verdicts
        ELSE left(event.verdicts, -1) || ',' || substr(excluded.verdicts, 2) END
    RETURNING machine, id)
  ${noted(org, 'event', 'SELECT machine, id FROM done')}`;

/** Whose a row is stays as it was. */
export const writeNotifications = (org: number, name: string, where: string): readonly Statement[] => {
  const rows = given(
    name,
    'n int, place int, machine text, id text, rev int, person text, team text, thread text, kind text, urgency text, state text, opened_at bigint, updated_at bigint, events text[], covers boolean, body text',
  );
  return [
    `WITH done AS (
      INSERT INTO notification (org, row, machine, id, rev, person, team, thread, kind, urgency, state, opened_at, updated_at, events, body)
      SELECT ${org}, row, machine, id, rev, person, team, thread, kind, urgency, state, opened_at, updated_at, events, body
      FROM ${numbered('notification_numbers', rows, where)} ORDER BY machine, id
      ON CONFLICT (org, machine, id) DO UPDATE SET rev = excluded.rev, thread = excluded.thread, kind = excluded.kind,
        urgency = excluded.urgency, state = excluded.state, updated_at = excluded.updated_at, events = excluded.events, body = excluded.body
      RETURNING machine, id)
    ${noted(org, 'notification', 'SELECT machine, id FROM done')}`,
    `INSERT INTO covered (org, machine, event, notification)
     SELECT ${org}, machine, event, id FROM ${given(name, 'n int, machine text, id text, events text[], covers boolean')}, unnest(events) AS event
     WHERE covers AND ${where} ORDER BY machine, event, id ON CONFLICT DO NOTHING`,
  ];
};

export const writeSessions = (org: number, name: string, where: string): Statement => `WITH done AS (
    INSERT INTO session (org, machine, key, rev, person, team, agent, id, parent, state, last_event, body)
    SELECT ${org}, machine, key, rev, person, team, agent, id, parent, state, last_event, body FROM ${given(
      name,
      'n int, machine text, key text, rev int, person text, team text, agent text, id text, parent text, state text, last_event bigint, body text',
    )} WHERE ${where} ORDER BY machine, key
    ON CONFLICT (org, machine, key) DO UPDATE SET rev = excluded.rev, parent = excluded.parent, state = excluded.state,
      last_event = excluded.last_event, body = excluded.body
    RETURNING machine, key AS id)
  ${noted(org, 'session', 'SELECT machine, id FROM done')}`;

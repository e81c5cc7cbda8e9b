// The statements by which a decision changes what is in the outbox already: held by something else, taken back, given its content.
import { noted } from '../changes.ts';
import { given, type Statement } from '../connection.ts';
import { only } from '../outbox/lines.ts';
import { movedTo } from '../outbox/move.ts';

const withChanges = (org: number): string =>
  `changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')}) SELECT id FROM done`;

/** Nobody is sending it. */
const UNSENT = only(`d.state IN ('pending', 'paused')`);

/** What is held is held by another name, or let go. */
export const holds = (org: number, name: string, where: string): Statement => `WITH done AS (
    UPDATE delivery d SET held_by = x.held_by, due = x.due, updated_at = x.at
    FROM (SELECT * FROM ${given(name, 'n int, id text, held_by text, due bigint, at bigint')} WHERE ${where}) x
    WHERE d.org = ${org} AND d.id = x.id AND ${only(`d.held_by IS NOT NULL AND d.state = 'pending'`)} RETURNING d.machine, d.id),
  ${withChanges(org)}`;

/** What a notification has unsent is taken back, as far as `unless` says; of several that take back the same the first counts. */
export const cancels = (org: number, name: string, where: string): Statement => {
  const columns =
    'n int, place int, machine text, notification text, because text, at bigint, channels text[], step int, note text';
  const taken = `WITH x AS MATERIALIZED (SELECT * FROM ${given(name, columns)} WHERE ${where}),
    chosen AS MATERIALIZED (SELECT DISTINCT ON (d.id) d.id, x.because = 'superseded' AS replaced, x.at, x.note
      FROM x CROSS JOIN LATERAL (SELECT id, channel, step, unless FROM delivery d WHERE d.org = ${org} AND d.machine = x.machine
        AND d.notification = x.notification AND ${UNSENT}) d
      WHERE (x.channels IS NULL OR d.channel = ANY(x.channels)) AND (x.step IS NULL OR d.step = x.step)
        AND (x.because = 'superseded' OR d.unless = 'acknowledged' OR (x.because = 'resolved' AND d.unless = 'resolved'))
      ORDER BY d.id, x.n, x.place)`;
  const set = movedTo('cancelled', 'c.at', { reason: 'NULL', error: 'c.note' }).replace(
    `state = 'cancelled'`,
    `state = CASE WHEN c.replaced THEN 'superseded' ELSE 'cancelled' END`,
  );
  return `${taken}, done AS (UPDATE delivery d SET ${set} FROM chosen c WHERE d.org = ${org} AND d.id = c.id
      AND ${UNSENT} RETURNING d.machine, d.id),
    ${withChanges(org)}`;
};

/** What nobody tried to send yet gets its content, and its time; the changes that wait for it go with it. */
export const rewrites = (org: number, name: string, where: string): Statement => {
  const columns =
    'n int, place int, machine text, notification text, hash text, channel text, step int, from_due bigint, due bigint, at bigint';
  return `WITH x AS MATERIALIZED (SELECT DISTINCT ON (machine, notification, channel, step) * FROM ${given(name, columns)}
      WHERE ${where} ORDER BY machine, notification, channel, step, place DESC),
    done AS (UPDATE delivery d SET content = x.hash, updated_at = x.at,
        due = CASE WHEN d.scheduled AND d.held_by IS NULL AND d.due = x.from_due THEN x.due ELSE d.due END
      FROM x WHERE d.org = ${org} AND d.machine = x.machine AND d.notification = x.notification AND d.channel = x.channel
        AND d.step = x.step AND ${only(`d.state = 'pending' AND d.attempts = 0`)} RETURNING d.machine, d.id),
    ${withChanges(org)}`;
};

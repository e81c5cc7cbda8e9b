// Lines of the outbox: deliveries of one channel and one thread of a machine go out in order, and the first unfinished one is marked. Whatever enters or leaves
// a line, or changes its order, first takes the lock of its thread: in a statement of its own, since only the next one sees what the lock
// waited for. Without it two transactions each see the other's row as unfinished, neither marks a first, and the line stands still for good.
import type { DeliveryState } from '../../../model/delivery/delivery.ts';
import { setting, type Statement } from '../connection.ts';

export const UNFINISHED = `('pending', 'leased', 'paused')`;
export const IN_LINE = `NOT scheduled AND state IN ${UNFINISHED}`;
export const isUnfinished = (state: DeliveryState): boolean =>
  state === 'pending' || state === 'leased' || state === 'paused';

/** Threads are locked by a hash of theirs, in the order of the hashes, so that no two transactions wait for each other. */
const lockOf = (org: number, rows: string): string =>
  `SELECT count(pg_advisory_xact_lock(h)::text) FROM (SELECT DISTINCT hashtextextended(machine || chr(10) || thread, ${org}) AS h FROM ${rows} ORDER BY h) hashes`;

/**
 * Locks the threads of deliveries. `found`: a query of their `id`, `channel`, `machine` and `thread`. Statements after it read the ids as
 * `lockedIds()`, look again whether these rows are still what they were chosen for, and end with `markHeads`.
 */
export const lockRows = (org: number, found: string): Statement => `WITH found AS MATERIALIZED (${found}),
    locked AS MATERIALIZED (${lockOf(org, 'found')})
  SELECT set_config('belfry.ids', (SELECT coalesce(array_agg(id), '{}') FROM found)::text, true),
    set_config('belfry.lines', (SELECT coalesce(json_agg(line), '[]') FROM (SELECT DISTINCT channel, machine, thread FROM found) line)::text, true)
  FROM locked`;

/** The same for threads that more than deliveries are written of: `lines`, a query of `channel`, `machine` and `thread`, and `threads`, one of `machine` and `thread`. */
export const lockThreads = (
  org: number,
  lines: string,
  threads: string,
): Statement => `WITH found AS MATERIALIZED (${lines}),
    locked AS MATERIALIZED (${lockOf(org, `(SELECT machine, thread FROM found UNION ALL ${threads}) all_threads`)})
  SELECT set_config('belfry.lines', (SELECT coalesce(json_agg(line), '[]') FROM (SELECT DISTINCT channel, machine, thread FROM found) line)::text, true)
  FROM locked`;

/** As an array, for `= ANY(...)`: an index finds each, whatever the statistics say. */
export const lockedIds = (): string => `${setting('ids')}::text[]`;

/**
 * A condition that is only looked at in rows that something else has found: no index is taken for it. With the statistics of an empty table
 * the planner would rather look through all that wait than for a few by their ids.
 */
export const only = (condition: string): string => `((${condition}) IS TRUE)`;

/**
 * Marks the first unfinished row of each locked line. One that becomes the first is due from `now` on (a number, or an expression): lines go
 * out by turns, and a long one has no more turns than a short one. What waits before something urgent goes first, too.
 */
export const markHeads = (org: number, now: string): Statement => `WITH line AS MATERIALIZED
    (SELECT channel, machine, thread FROM json_to_recordset(${setting('lines')}::json) AS l(channel text, machine text, thread text)),
  first AS MATERIALIZED (SELECT f.id, (SELECT true FROM delivery u WHERE u.org = ${org} AND u.channel = line.channel
      AND u.machine = line.machine AND u.thread = line.thread AND u.urgent AND NOT u.scheduled AND u.state IN ${UNFINISHED} LIMIT 1) IS NOT NULL AS priority
    FROM line CROSS JOIN LATERAL (SELECT id FROM delivery d WHERE d.org = ${org} AND d.channel = line.channel AND d.machine = line.machine AND d.thread = line.thread
      AND ${IN_LINE} ORDER BY seq LIMIT 1) f),
  marked AS MATERIALIZED (SELECT h.id FROM line CROSS JOIN LATERAL
    (SELECT id FROM delivery d WHERE d.org = ${org} AND d.channel = line.channel AND d.machine = line.machine AND d.thread = line.thread AND d.head LIMIT 2) h),
  next AS MATERIALIZED (SELECT id, coalesce(first.id IS NOT NULL, false) AS head, coalesce(first.priority, false) AS priority
    FROM (SELECT id FROM first UNION SELECT id FROM marked) both_of LEFT JOIN first USING (id))
  UPDATE delivery d SET head = next.head, priority = next.priority,
    due = CASE WHEN next.head AND NOT d.head THEN greatest(d.due, ${now}) ELSE d.due END,
    updated_at = CASE WHEN next.head AND NOT d.head THEN ${now} ELSE d.updated_at END
  FROM next WHERE d.org = ${org} AND d.id = ANY(ARRAY(SELECT id FROM next)) AND d.id = next.id
    AND (d.head <> next.head OR d.priority <> next.priority)`;

// How leases end: with what came of an attempt, put off, or given back.
import { ATTEMPTS_KEPT } from '../../contract.ts';
import { encode, receiptOf } from '../../encoding.ts';
import type { Settled, Settlement } from '../../records.ts';
import type { Outbox } from '../../roles/outbox.ts';
import { noted } from '../changes.ts';
import { given, setting } from '../connection.ts';
import type { Context } from '../context.ts';
import { setTimers, timerRow } from '../timers.ts';
import { lockedIds, lockRows, markHeads, only, UNFINISHED } from './lines.ts';

const COLUMNS = `id text, token text, number int, attempt text, state text, due bigint, updated_at bigint, last_reason text, last_error text,
  failures int, deferrals int, unknowns int, receipt text`;

/** The latest attempts; one of the same number as one before takes its place. Numbers go up by one. */
const LOG = `CASE WHEN s.attempt IS NULL THEN d.attempt_log ELSE (SELECT kept[greatest(1, cardinality(kept) - ${ATTEMPTS_KEPT - 1}):] FROM
  (SELECT d.attempt_log[1:cardinality(d.attempt_log) - greatest(0, d.attempts - s.number + 1)] || s.attempt AS kept) k) END`;

/** It is still leased with this token. */
const HELD = only(`d.state = 'leased' AND d.token = s.token`);

/** Whether its line goes on with another. */
const FOLLOWED = `EXISTS (SELECT 1 FROM delivery n WHERE n.org = d.org AND n.channel = d.channel AND n.machine = d.machine AND n.thread = d.thread
  AND NOT n.scheduled AND n.state IN ${UNFINISHED} AND n.seq <> d.seq)`;

const settleSql = (org: number): string => `WITH s AS MATERIALIZED (SELECT * FROM ${given('settled', COLUMNS)}),
  done AS (UPDATE delivery d SET state = s.state, due = s.due, updated_at = s.updated_at, last_reason = s.last_reason,
      last_error = s.last_error, attempts = greatest(d.attempts, coalesce(s.number, 0)), attempt_log = ${LOG},
      failures = s.failures, deferrals = s.deferrals, unknowns = s.unknowns, receipt = coalesce(s.receipt, d.receipt),
      owner = NULL, token = NULL
    FROM s WHERE d.org = ${org} AND d.id = ANY(${lockedIds()}) AND d.id = s.id AND ${HELD}
    RETURNING d.id, d.machine, s.token, ${FOLLOWED} AS followed),
  changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
  SELECT id, token, followed FROM done`;

/** A lease, in the form of its columns. */
interface Held {
  readonly id: string;
  readonly token: string;
}

const rowOf = (settlement: Settlement, now: number): Held & Readonly<Record<string, unknown>> => {
  const { deliveryId, token, attempt, state, due, lastReason, lastError, counters, receipt } = settlement;
  return {
    id: encode(deliveryId),
    token: encode(token),
    number: attempt?.number ?? null,
    attempt: attempt === null ? null : JSON.stringify(attempt),
    state,
    due,
    updated_at: attempt === null ? now : attempt.at + attempt.ms,
    last_reason: lastReason,
    last_error: lastError === null ? null : encode(lastError),
    ...counters,
    receipt: receiptOf(receipt),
  };
};

const lockSettled = (org: number): string =>
  lockRows(
    org,
    `SELECT id, channel, machine, thread FROM delivery WHERE org = ${org} AND id = ANY(ARRAY(SELECT id FROM ${given('settled', 'id text')}))`,
  );

/** Settling, putting off, giving back. */
export function settling({ db, org, now, committed }: Context): Pick<Outbox, 'settle' | 'postpone' | 'release'> {
  return {
    settle: async (settlements) => {
      const rows = settlements.map((settlement) => rowOf(settlement, now()));
      // One lease is settled once, by whichever comes first.
      const keys = rows.map(({ id, token }) => JSON.stringify([id, token]));
      const settled = rows.filter((_, n) => keys.indexOf(keys[n] ?? '') === n);
      if (settled.length === 0) return [];
      const at = Math.max(...settlements.map(({ attempt, due }) => (attempt === null ? due : attempt.at + attempt.ms)));
      const [, done = []] = await db.write({ settled, at }, [
        lockSettled(org),
        settleSql(org),
        markHeads(org, `${setting('at')}::bigint`),
      ]);
      if (done.length > 0) committed();
      const keyOf = (row: Readonly<Record<string, unknown>>): string => JSON.stringify([row['id'], row['token']]);
      const followed = new Map(done.map((row) => [keyOf(row), row['followed'] === true]));
      return rows.map((row, n): Settled => {
        const isFollowed = keys.indexOf(keyOf(row)) === n ? followed.get(keyOf(row)) : undefined;
        if (isFollowed === undefined) return 'gone';
        return isFollowed ? 'followed' : 'recorded';
      });
    },
    postpone: async (deliveryId, token, { due, heldBy, note, timer, now: at, shiftLater }) => {
      const own = {
        id: encode(deliveryId),
        token: encode(token),
        held_by: heldBy === null ? null : encode(heldBy),
        note: encode(note),
      };
      const settings = {
        settled: [{ ...own, due }],
        timers: timer === null ? [] : [timerRow(timer)],
        now: at,
        shift: shiftLater,
      };
      const [, done = []] = await db.write(settings, [
        lockSettled(org),
        `WITH s AS MATERIALIZED (SELECT * FROM ${given('settled', 'id text, token text, held_by text, note text, due bigint')}),
         done AS (UPDATE delivery d SET state = 'pending', scheduled = true, due = s.due, held_by = s.held_by, last_reason = NULL,
             last_error = s.note, updated_at = ${setting('now')}::bigint, owner = NULL, token = NULL
           FROM s WHERE d.org = ${org} AND d.id = ANY(${lockedIds()}) AND d.id = s.id AND ${HELD}
           RETURNING d.id, d.machine, d.notification, d.step),
         changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
         SELECT id, machine, notification, step, set_config('belfry.done', 'yes', true) FROM done`,
        setTimers(org, `coalesce(current_setting('belfry.done', true), '') = 'yes'`),
        // One of several first sends that wait moves them.
        `UPDATE delivery d SET due = d.due + ${setting('shift')}::bigint FROM delivery p
         WHERE p.org = ${org} AND p.id = ANY(${lockedIds()}) AND p.step = 0 AND ${setting('shift')}::bigint > 0
           AND coalesce(current_setting('belfry.done', true), '') = 'yes' AND d.org = p.org AND d.machine = p.machine
           AND d.notification = p.notification AND ${only(`d.step > 0 AND d.state = 'pending' AND d.scheduled AND d.held_by IS NULL`)}
           AND NOT EXISTS (SELECT 1 FROM delivery f WHERE f.org = p.org AND f.machine = p.machine AND f.notification = p.notification
             AND f.step = 0 AND f.operation = 'send'
             AND (f.state = 'sent' OR (f.state IN ('pending', 'leased') AND f.held_by IS NULL AND f.id < p.id)))`,
        markHeads(org, `${setting('now')}::bigint`),
      ]);
      if (done.length > 0) committed();
      return done.length > 0;
    },
    release: async (leases, at) => {
      if (leases.length === 0) return 0;
      const settled = leases.map(({ id, token }) => ({ id: encode(id), token: encode(token) }));
      const [, done = []] = await db.write({ settled, now: at }, [
        lockSettled(org),
        `WITH done AS (UPDATE delivery d SET state = 'pending', due = ${setting('now')}::bigint, updated_at = ${setting('now')}::bigint,
             owner = NULL, token = NULL
           FROM ${given('settled', 'id text, token text')}
           WHERE d.org = ${org} AND d.id = ANY(${lockedIds()}) AND d.id = settled.id AND ${only(`d.state = 'leased' AND d.token = settled.token`)}
           RETURNING d.id, d.machine),
         changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
         SELECT id FROM done`,
      ]);
      if (done.length > 0) committed();
      return done.length;
    },
  };
}

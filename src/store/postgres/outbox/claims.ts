// Leases of deliveries: who may send one, until when, and when there is another.
import type { Silence } from '../../../model/event/verdict.ts';
import { decode, encode } from '../../encoding.ts';
import type { ClaimedDelivery } from '../../records.ts';
import type { Outbox } from '../../roles/outbox.ts';
import { NEW_TOKEN, type Context } from '../context.ts';
import { type NotificationRow, notificationOf } from '../reads/notifications.ts';
import { COLUMNS, CONTENT, deliveryOf, type DeliveryRow } from './delivery-row.ts';
import { enterLines } from './enter-lines.ts';
import { UNFINISHED } from './lines.ts';

interface LeasedRow extends DeliveryRow {
  readonly machine: string;
  readonly token: string;
  readonly rev: number | null;
  readonly notification_body: string | null;
  readonly silences: readonly string[];
  readonly others: boolean;
}

/** Leases what a query `picked` (`id`, `n`) names, with all that the gate asks first; `entering`: whether others are to enter their lines before. */
const lease = (picked: string, entering: string): string => `WITH picked AS MATERIALIZED (${picked}),
  leased AS (UPDATE delivery d SET state = 'leased', due = $3::bigint + $4::bigint, updated_at = $3, owner = $5, token = ${NEW_TOKEN}
    WHERE d.org = $1 AND d.id = ANY(ARRAY(SELECT id FROM picked)) RETURNING d.*)
  SELECT e.entering, ${COLUMNS}, d.machine, ${CONTENT}, t.rev, t.body AS notification_body,
    (SELECT coalesce(json_agg(m.body), '[]') FROM mute m WHERE m.org = $1) AS silences,
    EXISTS (SELECT 1 FROM delivery o WHERE o.org = $1 AND o.channel = $2 AND NOT o.scheduled AND o.state IN ${UNFINISHED} AND o.seq <> d.seq)
      OR EXISTS (SELECT 1 FROM delivery s WHERE s.org = $1 AND s.channel = $2 AND s.scheduled AND s.held_by IS NULL AND s.state = 'pending')
      AS others
  FROM (SELECT ${entering} AS entering) e LEFT JOIN leased d ON true LEFT JOIN picked p ON p.id = d.id
    LEFT JOIN notification t ON t.org = d.org AND t.machine = d.machine AND t.id = d.notification
  ORDER BY p.n`;

/**
 * Due first rows of their lines in their turn, one turn after the other, so that no more are locked than are taken; those that somebody else
 * takes just now are left to them.
 */
const inTurn = (which: string): string => `SELECT id, row_number() OVER () AS n FROM (
    SELECT h.id FROM (VALUES (0), (1), (2), (3)) turns(turn) CROSS JOIN LATERAL (SELECT id FROM delivery
      WHERE org = $1 AND channel = $2 AND turn = turns.turn AND due <= $3 AND head AND state IN ('pending', 'leased')
        AND id <> ALL($6::text[])${which} ORDER BY due, seq LIMIT $7 FOR UPDATE SKIP LOCKED) h
    LIMIT $7) taken`;

const ENTERING = `EXISTS (SELECT 1 FROM delivery WHERE org = $1 AND channel = $2 AND scheduled AND held_by IS NULL AND state = 'pending' AND due <= $3)`;
const CLAIM = lease(inTurn(''), ENTERING);
const CLAIM_CHANGES = lease(inTurn(` AND operation <> 'send'`), ENTERING);
const CLAIM_PAUSED = lease(
  `SELECT id, 1 AS n FROM delivery WHERE org = $1 AND channel = $2 AND head AND state = 'paused' AND due <= $6
   ORDER BY attempts, due, seq LIMIT 1 FOR UPDATE SKIP LOCKED`,
  'false',
);

const first = (which: string): string =>
  `SELECT due FROM (SELECT due FROM delivery WHERE org = $1 AND channel = $2 AND id <> ALL($3::text[]) AND ${which} ORDER BY due LIMIT 1) f`;
const NEXT_DUE = `SELECT min(due) AS due FROM (${[
  ...[0, 1, 2, 3].map((turn) => first(`head AND state IN ('pending', 'leased') AND turn = ${turn}`)),
  first(`scheduled AND held_by IS NULL AND state = 'pending'`),
].join(' UNION ALL ')}) firsts`;

function claimedOf(row: LeasedRow): ClaimedDelivery {
  const kept: readonly NotificationRow[] =
    row.rev === null || row.notification_body === null ? [] : [{ rev: row.rev, body: row.notification_body }];
  return {
    ...deliveryOf(row),
    machine: decode(row.machine),
    token: decode(row.token),
    isLast: !row.others,
    notification: kept.map(notificationOf)[0] ?? null,
    silences: row.silences.map((text) => JSON.parse(text) as Silence), // written from one
  };
}

const present = (row: LeasedRow): boolean => row.id !== null;

/** Claiming. A hub has no journal: nothing of a session is undecided here, and nothing waits for that. */
export function claims(context: Context): Pick<Outbox, 'claim' | 'claimPaused' | 'nextDue'> {
  const { db, org, owner, committed } = context;
  return {
    claim: async (name, { now, leaseMs, limit, only, except = [] }) => {
      const channel = encode(name);
      const take = async (most: number) =>
        db.read<LeasedRow & { readonly entering: boolean }>(only === 'changes' ? CLAIM_CHANGES : CLAIM, [
          ...[org, channel, now, leaseMs, owner],
          except.map(encode),
          most,
        ]);
      const rows = await take(limit);
      const leased = rows.filter(present);
      if (rows[0]?.entering !== true || leased.length >= limit) return leased.map(claimedOf);
      // What was planned for now takes its place in the line, behind what waits there.
      if ((await enterLines(context, channel, now)) > 0) committed();
      return [...leased, ...(await take(limit - leased.length)).filter(present)].map(claimedOf);
    },
    claimPaused: async (channel, dueBy, { now, leaseMs }) => {
      const rows = await db.read<LeasedRow>(CLAIM_PAUSED, [org, encode(channel), now, leaseMs, owner, dueBy]);
      return rows.filter(present).map(claimedOf)[0] ?? null;
    },
    nextDue: async (channel, except = []) => {
      const [found] = await db.read<{ due: number | null }>(NEXT_DUE, [org, encode(channel), except.map(encode)]);
      return found?.due ?? null;
    },
  };
}

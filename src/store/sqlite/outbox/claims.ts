// Leases of deliveries: who may send one, until when, how it ends with what came of it, and how leases come back.
import type { Silence } from '../../../model/event/verdict.ts';
import {
  ATTEMPTS_KEPT,
  type ClaimedDelivery,
  type ClaimOptions,
  type Settled,
  type Settlement,
  type Store,
} from '../../contract.ts';
import { changeState } from './set-delivery-state.ts';
import { NEW_TOKEN, type WriteContext } from '../engine/context.ts';
import { COLUMNS, deliveryOf, type DeliveryRow, lastOf } from './delivery-row.ts';
import type { Database, Value } from '../engine/database.ts';
import { encode, parseJson, receiptOf } from '../../encoding.ts';
import { notificationOf } from '../notifications.ts';
import { enterLines, isUnfinished, type Line, markHead, UNFINISHED } from './partitions.ts';
import { heldByUndecided, type Waiting } from './undecided.ts';
import type { Attempt } from '../../../model/delivery/delivery.ts';

/** Whether its line goes on with another. */
const FOLLOWED = `EXISTS (SELECT 1 FROM deliveries n WHERE n.channel = deliveries.channel AND n.thread_key = deliveries.thread_key
  AND n.scheduled = 0 AND n.state IN ${UNFINISHED} AND n.seq <> deliveries.seq) AS follows`;

function settle({ db, changes, now }: WriteContext, settlement: Settlement): Settled {
  const { deliveryId, token, attempt, state, due, lastReason, lastError, counters, receipt } = settlement;
  const id = encode(deliveryId);
  const at = attempt === null ? due : attempt.at + attempt.ms;
  const row = db.get<Line & { readonly follows: number }>(
    `UPDATE deliveries SET state = ?, due = ?, updated_at = ?, last = ?, attempts = max(attempts, ?), head = head * ?,
       failures = ?, deferrals = ?, unknowns = ?, receipt = coalesce(?, receipt), owner = NULL, token = NULL
     WHERE id = ? AND state = 'leased' AND token = ? RETURNING channel, thread_key, ${FOLLOWED}`,
    state,
    due,
    attempt === null ? now() : attempt.at + attempt.ms,
    lastOf(lastReason, lastError),
    attempt?.number ?? 0,
    isUnfinished(state) ? 1 : 0,
    counters.failures,
    counters.deferrals,
    counters.unknowns,
    receiptOf(receipt),
    id,
    token,
  );
  if (!row) return 'gone';
  if (attempt !== null) addAttempt(db, id, attempt);
  if (!isUnfinished(state) && row.follows > 0) markHead(db, row, at);
  changes.note('delivery', deliveryId);
  return row.follows > 0 ? 'followed' : 'recorded';
}

function addAttempt(db: Database, id: string, attempt: Attempt): void {
  db.run(
    `INSERT INTO attempts (delivery_id, number, attempt) VALUES (?, ?, ?)
     ON CONFLICT (delivery_id, number) DO UPDATE SET attempt = excluded.attempt`,
    id,
    attempt.number,
    JSON.stringify(attempt),
  );
  if (attempt.number > ATTEMPTS_KEPT)
    db.run('DELETE FROM attempts WHERE delivery_id = ? AND number <= ?', id, attempt.number - ATTEMPTS_KEPT);
}

/** Settling, and what channels gave back. */
export function settling(context: WriteContext): Pick<Store, 'settle' | 'latestReceipt' | 'latestThreadReceipt'> {
  const { db, writer } = context;
  return {
    settle: (settlements) => writer.write(() => settlements.map((settlement) => settle(context, settlement))),
    latestReceipt: async ({ notificationId, channel, step }) => {
      const row = db.get<{ receipt: string }>(
        `SELECT receipt FROM deliveries
         WHERE notification_id = ? AND channel = ? AND step = ? AND operation IN ('send', 'update')
           AND state = 'sent' AND receipt IS NOT NULL
         ORDER BY revision DESC, seq DESC LIMIT 1`,
        encode(notificationId),
        encode(channel),
        step,
      );
      return row ? (parseJson<unknown>(row.receipt) ?? null) : null;
    },
    latestThreadReceipt: async (threadKey, channel) => {
      // By the thread's notifications, which are few and have an index; the outbox is long.
      const row = db.get<{ receipt: string }>(
        `SELECT d.receipt FROM notifications n JOIN deliveries d ON d.notification_id = n.id
         WHERE n.thread_key = ? AND d.channel = ? AND d.operation = 'send' AND +d.state = 'sent' AND d.receipt IS NOT NULL
         ORDER BY d.seq DESC LIMIT 1`,
        encode(threadKey),
        encode(channel),
      );
      return row ? (parseJson<unknown>(row.receipt) ?? null) : null;
    },
  };
}

const present = (delivery: ClaimedDelivery | null): delivery is ClaimedDelivery => delivery !== null;

/** Ids as one value. */
const idList = (ids: readonly string[] = []): string => JSON.stringify(ids.map(encode));

/** What a claimed row is judged by, and whether its channel has something else to do. */
const JUDGED_BY = `(SELECT json_array(n.version, n.notification) FROM notifications n WHERE n.id = deliveries.notification_id) AS judged,
  (SELECT json_group_array(silence) FROM silences) AS silences,
  EXISTS (SELECT 1 FROM deliveries o INDEXED BY deliveries_line
    WHERE o.channel = deliveries.channel AND o.scheduled = 0 AND o.state IN ${UNFINISHED} AND o.seq <> deliveries.seq)
  OR EXISTS (SELECT 1 FROM deliveries s INDEXED BY deliveries_scheduled
    WHERE s.channel = deliveries.channel AND s.scheduled = 1 AND s.held_by IS NULL AND s.state = 'pending') AS others`;

interface LeasedRow extends DeliveryRow {
  readonly token: string;
  readonly judged: string | null;
  readonly silences: string;
  readonly others: number;
}

/** Leases the row that a condition names, if it still names one. */
function lease(
  context: WriteContext,
  { now, leaseMs }: Omit<ClaimOptions, 'limit'>,
  which: string,
  ...values: readonly Value[]
): ClaimedDelivery | null {
  const { db, owner } = context;
  const row = db.get<LeasedRow>(
    `UPDATE deliveries SET state = 'leased', due = ?1, updated_at = ?2, owner = ?3, token = ${NEW_TOKEN} WHERE ${which}
     RETURNING ${COLUMNS}, ${JUDGED_BY}`,
    now + leaseMs,
    now,
    owner,
    ...values,
  );
  if (!row) return null;
  try {
    return { ...deliveryOf(row), token: row.token, isLast: row.others === 0, ...judgedBy(row) };
  } catch {
    // Its text was damaged on the disk: given up where people see it, so that its line goes on.
    changeState(context, 'dead', now, 'seq = ?3', [row.seq], lastOf('client', 'the stored notification is damaged'));
    return null;
  }
}

/** A damaged row counts as none. */
function judgedBy({ judged, silences }: LeasedRow): Pick<ClaimedDelivery, 'notification' | 'silences'> {
  const [version = 0, notification = ''] = judged === null ? [] : (JSON.parse(judged) as [number, string]); // made above
  const texts = JSON.parse(silences) as readonly string[]; // as well
  return {
    notification: notificationOf({ version, notification })[0] ?? null,
    silences: texts.flatMap((text) => parseJson<Silence>(text) ?? []),
  };
}

/** Rows looked at in one claim, while something is undecided. */
const MOST_LOOKED_AT = 1_000;

interface Head extends Waiting, Pick<DeliveryRow, 'seq' | 'id' | 'state'> {}

const HEAD = 'seq, id, state, thread_key, notification_id, event_id, due';

/** Due first rows of lines in one state; `which`: no others. Each form has an index of its own, which gives as many as are asked for and reads no more. */
const dueHeads = (state: 'pending' | 'leased', which: string): string =>
  `SELECT ${HEAD} FROM deliveries WHERE channel = ?1 AND head = 1 AND state = '${state}' AND due <= ?2${which}
   AND id NOT IN (SELECT value FROM json_each(?3)) ORDER BY due, seq LIMIT ?4`;

const CHANGES = ` AND operation <> 'send'`;
const URGENT = ' AND priority = 1';
/** What is urgent before all else. A lease that ran out is of one that was to go out before all that wait. */
const IN_TURN = [URGENT, ''].flatMap((which) => [dueHeads('leased', which), dueHeads('pending', which)]);
const CHANGES_IN_TURN = [dueHeads('leased', CHANGES), dueHeads('pending', CHANGES)];

/** A row where anything is undecided. */
const UNDECIDED = 'SELECT 1 FROM journal WHERE decided_at IS NULL';

/** So few due first rows are read at once, and put in their turn here. */
const FEW = 20;
/** All that a claim is decided by where little is due: due first rows, whether others enter their lines first, and whether anything is undecided. */
const LOOK = `SELECT * FROM (SELECT 'head' AS what, ${HEAD}, priority, operation FROM deliveries
    WHERE channel = ?1 AND head = 1 AND state IN ('pending', 'leased') AND due <= ?2 LIMIT ${FEW + 1})
  UNION ALL SELECT 'entering', 0, '', '', '', '', '', 0, 0, '' WHERE EXISTS (SELECT 1 FROM deliveries
    WHERE scheduled = 1 AND held_by IS NULL AND channel = ?1 AND state = 'pending' AND due <= ?2)
  UNION ALL SELECT 'undecided', 0, '', '', '', '', '', 0, 0, '' WHERE EXISTS (${UNDECIDED})`;

interface RankedHead extends Head, Pick<DeliveryRow, 'operation'> {
  readonly what: 'head' | 'entering' | 'undecided';
  readonly priority: number;
}

type Claim = Parameters<Store['claim']>[1];

/** What a look finds. */
interface Seen {
  readonly few: readonly RankedHead[];
  /** Scheduled ones are due. */
  readonly isEntering: boolean;
  readonly isUndecided: boolean;
}

function look(db: Database, channel: string, now: number): Seen {
  const rows = db.all<RankedHead>(LOOK, channel, now);
  const isSeen = (of: RankedHead['what']): boolean => rows.some(({ what }) => what === of);
  const few = rows.filter(({ what }) => what === 'head');
  return { few, isEntering: isSeen('entering'), isUndecided: isSeen('undecided') };
}

/** Due first rows that may be claimed, in their turn; `most`: of each kind. */
function headsInTurn(db: Database, channel: Value, claim: Claim, few: Seen['few'], most: number): readonly Head[] {
  const { now, only, except = [] } = claim;
  if (few.length > FEW)
    return (only === 'changes' ? CHANGES_IN_TURN : IN_TURN).flatMap((sql) =>
      db.all<Head>(sql, channel, now, idList(except), most),
    );
  const excepted = new Set(except.map(encode));
  const rank = ({ priority, state }: RankedHead): number =>
    (only !== 'changes' && priority === 1 ? 0 : 2) + (state === 'leased' ? 0 : 1);
  return few
    .filter(({ id, operation }) => !excepted.has(id) && (only !== 'changes' || operation !== 'send'))
    .sort((a, b) => rank(a) - rank(b) || a.due - b.due || a.seq - b.seq);
}

/** The rows to be leased; what enters its line has done so. */
function claimable(db: Database, channel: string, claim: Claim, { few, isUndecided }: Seen): readonly Head[] {
  const { after, now, limit } = claim;
  const isHeld = after && (isUndecided || after.unread) ? heldByUndecided(db, after, now) : null;
  const found = new Map<number, Head>(); // what is urgent is found twice
  for (const head of headsInTurn(db, channel, claim, few, isHeld === null ? limit : MOST_LOOKED_AT))
    if (found.size < limit && !isHeld?.(head)) found.set(head.seq, head);
  return [...found.values()];
}

/** A row is still as it was looked at, before this transaction, and still nothing is undecided: that is all that its claim was decided by. */
const AS_SEEN = `id = ?4 AND head = 1 AND state = ?5 AND due = ?6 AND NOT EXISTS (${UNDECIDED})`;

/** Leases what was looked at, as far as nothing has come in between. */
function leaseAsSeen(context: WriteContext, claim: Claim, rows: readonly Head[]): readonly ClaimedDelivery[] {
  return rows.map(({ id, state, due }) => lease(context, claim, AS_SEEN, id, state, due)).filter(present);
}

/** Looks again and leases what it finds. */
function leaseDue(context: WriteContext, channel: string, claim: Claim): readonly ClaimedDelivery[] {
  const rows = claimable(context.db, channel, claim, look(context.db, channel, claim.now));
  return rows.map(({ seq }) => lease(context, claim, 'seq = ?4', seq)).filter(present);
}

const first = (which: string): string =>
  `SELECT due FROM (SELECT due FROM deliveries WHERE channel = ?1 AND ${which}
   AND id NOT IN (SELECT value FROM json_each(?2)) ORDER BY due LIMIT 1)`;
const NEXT_DUE = `SELECT min(due) AS due FROM (${[
  first(`head = 1 AND state = 'pending'`),
  first(`head = 1 AND state = 'leased'`),
  first(`scheduled = 1 AND held_by IS NULL AND state = 'pending'`),
].join(' UNION ALL ')})`;

/** Claiming and giving back. */
export function claims(context: WriteContext): Pick<Store, 'claim' | 'claimPaused' | 'release' | 'nextDue'> {
  const { db, writer } = context;
  return {
    claim: async (name, claim) => {
      const channel = encode(name);
      // Mostly nothing is due, and then nothing is written.
      const seen = look(db, channel, claim.now);
      const isLittle = !seen.isEntering && seen.few.length <= FEW;
      const rows = isLittle ? claimable(db, channel, claim, seen) : [];
      if (isLittle && rows.length === 0) return [];
      return writer.write(() => {
        const leased = seen.isUndecided ? [] : leaseAsSeen(context, claim, rows);
        if (leased.length > 0) return leased;
        if (seen.isEntering) enterLines(db, channel, claim.now);
        return leaseDue(context, channel, claim);
      });
    },
    claimPaused: (channel, dueBy, claim) =>
      writer.write(() => {
        const isHeld = claim.after ? heldByUndecided(db, claim.after, claim.now) : null;
        const rows = db.all<Head>(
          `SELECT ${HEAD} FROM deliveries
           WHERE channel = ? AND head = 1 AND state = 'paused' AND due <= ? ORDER BY attempts, due, seq LIMIT ?`,
          encode(channel),
          dueBy,
          isHeld === null ? 1 : MOST_LOOKED_AT,
        );
        const free = rows.find((row) => !isHeld?.(row));
        if (free === undefined) return rows.length > 0 ? 'undecided' : null;
        return lease(context, claim, 'seq = ?4', free.seq);
      }),
    release: (leases, now) =>
      writer.write(() => {
        const where = `state = 'leased' AND id = ?3 AND token = ?4`;
        return leases.reduce(
          (sum, { id, token }) => sum + changeState(context, 'pending', now, where, [encode(id), token]),
          0,
        );
      }),
    nextDue: async (channel, except) =>
      db.get<{ due: number | null }>(NEXT_DUE, encode(channel), idList(except))?.due ?? null,
  };
}

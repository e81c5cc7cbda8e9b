// Adds deliveries to the outbox.
import type { Delivery, Rewrite } from '../../../model/delivery/delivery.ts';
import { changeState } from './set-delivery-state.ts';
import type { WriteContext } from '../engine/context.ts';
import { lastOf } from './delivery-row.ts';
import type { Database } from '../engine/database.ts';
import { decode, encode, receiptOf } from '../../encoding.ts';
import { IN_LINE, UNFINISHED } from './partitions.ts';

const INSERT = `INSERT INTO deliveries
   (id, notification_id, event_id, channel, thread_key, operation, revision, step, state, head, scheduled,
    attempts, failures, deferrals, unknowns, due, unless, only_when, held_by, owner, token, receipt, created_at, updated_at, last, content, urgent, priority)
 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
   CASE WHEN ?10 = 1 OR ?9 NOT IN ${UNFINISHED}
     OR EXISTS (SELECT 1 FROM deliveries WHERE channel = ?4 AND thread_key = ?5 AND ${IN_LINE})
     THEN 0 ELSE 1 END,
   ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?26)
 ON CONFLICT (id) DO NOTHING`;

/** What is before something urgent in its line goes first, too. */
const HURRY = `UPDATE deliveries INDEXED BY deliveries_first SET priority = 1
  WHERE channel = ?1 AND thread_key = ?2 AND head = 1`;

/** Adds one row; one of the same id stays as it is. What is leased from the beginning belongs to this process. */
export function insertDelivery(context: WriteContext, d: Delivery): void {
  const { db, changes, owner } = context;
  if (d.operation !== 'send') supersedeUpdates(context, d);
  const urgent = d.operation === 'send' && d.content.urgency === 'urgent' ? 1 : 0;
  const added = db.run(
    INSERT,
    encode(d.id),
    encode(d.notificationId),
    encode(d.eventId),
    encode(d.channel),
    encode(d.threadKey),
    d.operation,
    d.revision,
    d.step,
    d.state,
    d.scheduled ? 1 : 0,
    d.attempts,
    d.failures,
    d.deferrals,
    d.unknowns,
    d.due,
    d.unless,
    d.only,
    d.heldBy === null ? null : encode(d.heldBy),
    d.state === 'leased' ? (d.owner ?? owner) : null,
    d.state === 'leased' ? d.token : null,
    receiptOf(d.receipt),
    d.createdAt,
    d.updatedAt,
    lastOf(d.lastReason, d.lastError),
    JSON.stringify(d.content),
    urgent,
  );
  if (added === 0) return;
  if (urgent === 1 && !d.scheduled) db.run(HURRY, encode(d.channel), encode(d.threadKey));
  changes.note('delivery', d.id);
}

/** Only the latest form of a message is worth sending. */
function supersedeUpdates(context: WriteContext, d: Delivery): void {
  const where = `notification_id = ?3 AND channel = ?4 AND operation = 'update' AND revision < ?5
    AND state IN ('pending', 'paused') AND id <> ?6 AND step = ?7`;
  const revision = d.operation === 'retract' ? Number.MAX_SAFE_INTEGER : d.revision;
  const values = [encode(d.notificationId), encode(d.channel), revision, encode(d.id), d.step];
  changeState(context, 'superseded', d.createdAt, where, values);
}

/**
 * The send of the message that this changes. `there`: it went out or is about to; `due`: planned for later, Unix ms, and nothing holds it;
 * null: neither.
 */
export function sendOf(
  db: Database,
  { notificationId, channel, step }: Delivery,
): 'there' | { readonly due: number } | null {
  const sends = `SELECT scheduled, due FROM deliveries WHERE notification_id = ? AND channel = ? AND step = ? AND operation = 'send'
    AND (state = 'sent' OR (${IN_LINE}) OR (state = 'pending' AND held_by IS NULL)) ORDER BY scheduled LIMIT 1`;
  const values = [encode(notificationId), encode(channel), step];
  const send = db.get<{ readonly scheduled: number; readonly due: number }>(sends, ...values);
  if (send === undefined) return null;
  return send.scheduled === 0 ? 'there' : { due: send.due };
}

/** Gives what nobody tried to send yet its content, and its time; the changes that wait for it go with it. */
export function rewriteDelivery({ db, changes }: WriteContext, of: Rewrite, now: number): void {
  const moved = db.all<{ readonly id: string }>(
    `UPDATE deliveries INDEXED BY deliveries_notification SET content = ?1, updated_at = ?2,
       due = CASE WHEN scheduled = 1 AND held_by IS NULL AND due = ?3 THEN ?4 ELSE due END
     WHERE notification_id = ?5 AND channel = ?6 AND step = ?7 AND state = 'pending' AND attempts = 0 RETURNING id`,
    JSON.stringify(of.content),
    now,
    of.from,
    of.due,
    encode(of.notificationId),
    encode(of.channel),
    of.step,
  );
  for (const { id } of moved) changes.note('delivery', decode(id));
}

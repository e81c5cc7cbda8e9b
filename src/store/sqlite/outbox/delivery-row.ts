// A row of the outbox, and the delivery that it stands for.
import type { Delivery, DeliveryState, Only, Operation, Reason, Unless } from '../../../model/delivery/delivery.ts';
import type { NotificationContent } from '../../../model/notification/notification.ts';
import { decode, parseJson } from '../../encoding.ts';

export interface DeliveryRow {
  readonly seq: number;
  readonly id: string;
  readonly notification_id: string;
  readonly event_id: string;
  readonly channel: string;
  readonly thread_key: string;
  readonly operation: Operation;
  readonly revision: number;
  readonly step: number;
  readonly state: DeliveryState;
  readonly scheduled: number;
  readonly attempts: number;
  readonly failures: number;
  readonly deferrals: number;
  readonly unknowns: number;
  readonly due: number;
  readonly unless: Unless;
  readonly only_when: Only;
  readonly held_by: string | null;
  readonly owner: string | null;
  readonly token: string | null;
  readonly receipt: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last: string | null;
  readonly content: string;
}

export const COLUMNS =
  'seq, id, notification_id, event_id, channel, thread_key, operation, revision, step, state, scheduled, attempts, failures, deferrals, unknowns, due, unless, only_when, held_by, owner, token, receipt, created_at, updated_at, last, content';

/** The column `last`. */
export const lastOf = (reason: string | null, error: string | null): string | null =>
  reason === null && error === null ? null : JSON.stringify({ reason, error });

/** Throws when the stored JSON is damaged. */
export function deliveryOf(row: DeliveryRow): Delivery {
  const last = row.last === null ? null : (JSON.parse(row.last) as { reason: Reason | null; error: string | null });
  const content = contentOf(row.content);
  if (content === null) throw new SyntaxError('the stored notification is damaged');
  return {
    id: decode(row.id),
    notificationId: decode(row.notification_id),
    eventId: decode(row.event_id),
    channel: decode(row.channel),
    threadKey: decode(row.thread_key),
    operation: row.operation,
    revision: row.revision,
    step: row.step,
    content,
    state: row.state,
    scheduled: row.scheduled === 1,
    attempts: row.attempts,
    failures: row.failures,
    deferrals: row.deferrals,
    unknowns: row.unknowns,
    due: row.due,
    unless: row.unless,
    only: row.only_when,
    heldBy: row.held_by === null ? null : decode(row.held_by),
    owner: row.owner,
    token: row.token,
    receipt: row.receipt === null ? null : (parseJson<unknown>(row.receipt) ?? null),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastReason: last?.reason ?? null,
    lastError: last?.error ?? null,
  };
}

/** Null where it was damaged on the disk, which may leave JSON that is valid but no notification. */
export function contentOf(text: string): NotificationContent | null {
  const content = parseJson<NotificationContent>(text) ?? null; // written from one
  const { title, body, event }: Partial<NotificationContent> = Object(content);
  const isWhole = typeof title === 'string' && typeof body === 'string' && typeof event === 'object' && event !== null;
  return isWhole ? content : null;
}

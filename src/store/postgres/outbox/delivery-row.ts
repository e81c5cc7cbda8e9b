// A row of the outbox, and the delivery that it stands for.
import { createHash } from 'node:crypto';
import type { Delivery, DeliveryState, Only, Operation, Reason, Unless } from '../../../model/delivery/delivery.ts';
import type { NotificationContent } from '../../../model/notification/notification.ts';
import { decode, encode, receiptOf } from '../../encoding.ts';

export interface DeliveryRow {
  readonly id: string;
  readonly notification: string;
  readonly event: string;
  readonly channel: string;
  readonly thread: string;
  readonly operation: Operation;
  readonly revision: number;
  readonly step: number;
  readonly state: DeliveryState;
  readonly scheduled: boolean;
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
  readonly last_reason: Reason | null;
  readonly last_error: string | null;
  /** The content itself; in the table it is a hash of it. */
  readonly content: string;
}

const names =
  'id notification event channel thread operation revision step state scheduled attempts failures deferrals unknowns due unless only_when held_by owner token receipt created_at updated_at last_reason last_error';

/** The columns of a row `d`, but for its content. */
export const COLUMNS = names.replaceAll(/\w+/g, 'd.$&').replaceAll(' ', ', ');

/** Of what the row `d` shows. */
export const CONTENT = `(SELECT c.body FROM content c
  WHERE c.org = d.org AND c.machine = d.machine AND c.notification = d.notification AND c.hash = d.content) AS content`;

const orNull = (text: string | null): string | null => (text === null ? null : decode(text));

/** Written by {@link newRow}. */
export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: decode(row.id),
    notificationId: decode(row.notification),
    eventId: decode(row.event),
    channel: decode(row.channel),
    threadKey: decode(row.thread),
    operation: row.operation,
    revision: row.revision,
    step: row.step,
    content: JSON.parse(row.content) as NotificationContent, // written from one
    state: row.state,
    scheduled: row.scheduled,
    attempts: row.attempts,
    failures: row.failures,
    deferrals: row.deferrals,
    unknowns: row.unknowns,
    due: row.due,
    unless: row.unless,
    only: row.only_when,
    heldBy: orNull(row.held_by),
    owner: orNull(row.owner),
    token: orNull(row.token),
    receipt: row.receipt === null ? null : JSON.parse(row.receipt),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastReason: row.last_reason,
    lastError: orNull(row.last_error),
  };
}

/** The text of a content, and what it is found by. */
export function contentOf(content: NotificationContent): { readonly hash: string; readonly body: string } {
  const body = JSON.stringify(content);
  return { hash: createHash('sha256').update(body).digest('base64url').slice(0, 24), body };
}

/** What a new row is made from, with the types of the columns. */
export const NEW_COLUMNS: Readonly<Record<keyof ReturnType<typeof newRow>, string>> = {
  ...{ id: 'text', notification: 'text', event: 'text', channel: 'text', thread: 'text' },
  ...{
    operation: 'text',
    revision: 'int',
    step: 'int',
    content: 'text',
    state: 'text',
    urgent: 'boolean',
    scheduled: 'boolean',
  },
  ...{
    attempts: 'int',
    failures: 'int',
    deferrals: 'int',
    unknowns: 'int',
    due: 'bigint',
    unless: 'text',
    only_when: 'text',
  },
  ...{ held_by: 'text', owner: 'text', token: 'text', receipt: 'text', last_reason: 'text', last_error: 'text' },
  ...{ created_at: 'bigint', updated_at: 'bigint' },
};

/** What is leased from the beginning belongs to `owner`. */
export function newRow(d: Delivery, owner: string) {
  const leased = d.state === 'leased';
  return {
    id: encode(d.id),
    notification: encode(d.notificationId),
    event: encode(d.eventId),
    channel: encode(d.channel),
    thread: encode(d.threadKey),
    operation: d.operation,
    revision: d.revision,
    step: d.step,
    content: contentOf(d.content).hash,
    state: d.state,
    urgent: d.operation === 'send' && d.content.urgency === 'urgent',
    scheduled: d.scheduled,
    attempts: d.attempts,
    failures: d.failures,
    deferrals: d.deferrals,
    unknowns: d.unknowns,
    due: d.due,
    unless: d.unless,
    only_when: d.only,
    held_by: d.heldBy === null ? null : encode(d.heldBy),
    owner: leased ? encode(d.owner ?? owner) : null,
    token: leased && d.token !== null ? encode(d.token) : null,
    receipt: receiptOf(d.receipt),
    last_reason: d.lastReason,
    last_error: d.lastError === null ? null : encode(d.lastError),
    created_at: d.createdAt,
    updated_at: d.updatedAt,
  };
}

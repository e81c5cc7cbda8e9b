// One try at one delivery: the message in the form of its operation, a time limit that holds even when the channel ignores its own, and no secret in what comes of it.
import type { Clock } from '../../lib/clock.ts';
import { oneLine } from '../../lib/text/text.ts';
import type { OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Delivery, Outcome } from '../../model/delivery/delivery.ts';
import type { ChannelInstance, ChannelInstances } from './channel-instance.ts';
import { notificationIdOf } from '../../model/ids.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';

/** What it is given besides: `resolution`: why the notification is not open any more, where that is what changed. */
export type MessageContext = Pick<
  OutgoingMessage,
  'resolution' | 'threadReceipt' | 'acknowledgeWith' | 'goOn' | 'showWith' | 'question'
>;

/** The message of the next attempt. */
export function outgoingMessage(delivery: Delivery, context: MessageContext): OutgoingMessage {
  const { id, notificationId, revision, operation, content, threadKey, step } = delivery;
  return {
    id,
    notificationId,
    revision,
    operation,
    content,
    threadKey,
    step,
    attempt: delivery.attempts + 1,
    ...context,
  };
}

/** The message of a send that no delivery stands behind: a test, or a notice sent directly. */
export function directMessage(id: string, content: NotificationContent): OutgoingMessage {
  return {
    id,
    notificationId: notificationIdOf(content.event.id),
    revision: 1,
    operation: 'send',
    content,
    attempt: 1,
    threadKey: `event:${id}`,
    resolution: null,
    step: 0,
    threadReceipt: null,
    acknowledgeWith: null,
    goOn: [],
    showWith: null,
    question: null,
  };
}

/** Ms beyond its limit after which a channel is cancelled, and once more to say itself how it ended. */
const GRACE = 1_000;

/** Characters kept of a receiver's answer. */
const ANSWER_LENGTH = 200;

/** Most characters of a receipt, as JSON. */
const RECEIPT_LENGTH = 4_000;

/** What is tried: `receipt` is that of the last operation that succeeded, null for `send`. */
export interface Attempted {
  readonly message: OutgoingMessage;
  readonly receipt: unknown;
}

/** Never throws: a bug of a channel is an outcome too. `cancel` ends it early. The outcome holds no secret of the channel. */
export async function attempt(
  instances: Pick<ChannelInstances, 'use'>,
  what: Attempted,
  clock: Clock,
  cancel?: AbortSignal,
): Promise<Outcome> {
  if (cancel?.aborted) return { ok: false, reason: 'timeout', error: 'cancelled before it was sent' };
  try {
    return await instances.use(async (instance) => kept(await perform(instance, what, clock, cancel), instance.mask));
  } catch (error) {
    return { ok: false, reason: 'invalid-config', error: `the channel could not be opened: ${nameOf(error)}` };
  }
}

async function perform(
  { open, configured }: ChannelInstance,
  what: Attempted,
  clock: Clock,
  cancel?: AbortSignal,
): Promise<Outcome> {
  const { timeoutMs } = configured.channel.limits(configured.settings);
  const limit = new AbortController();
  const late: Outcome = {
    ok: false,
    reason: 'timeout',
    error: `no end after ${(timeoutMs + GRACE) / 1_000} s; it may have arrived all the same`,
    unknown: true,
  };
  let end = (): void => undefined;
  const overdue = new Promise<Outcome>((resolve) => (end = () => resolve(late)));
  const cancelled = (): void => {
    limit.abort();
    end();
  };
  cancel?.addEventListener('abort', cancelled, { once: true });
  const alarms = [
    clock.setTimer(timeoutMs + GRACE, () => limit.abort()),
    clock.setTimer(timeoutMs + 2 * GRACE, () => end()),
  ];
  try {
    return await Promise.race([operate(open, what, { signal: limit.signal, timeoutMs }), overdue]);
  } catch (error) {
    return { ok: false, reason: 'network', error: `the channel broke off: ${nameOf(error)}` };
  } finally {
    for (const off of alarms) off();
    cancel?.removeEventListener('abort', cancelled);
  }
}

async function operate(open: OpenChannel, { message, receipt }: Attempted, context: SendContext): Promise<Outcome> {
  const { operation } = message;
  if (operation === 'send') return open.send(message, context);
  const change = open[operation];
  if (change) return change(message, receipt, context);
  return { ok: false, reason: 'client', error: `the channel cannot ${operation} what it sent` }; // its settings changed since
}

/** The kind of an error only: its message may hold an address or a secret. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Masked while it is whole, or the beginning of a secret would be left where it is cut; and once more, when nothing stands between its letters. */
function kept(outcome: Outcome, mask: ChannelInstance['mask']): Outcome {
  const answer =
    outcome.answer === undefined ? {} : { answer: mask(oneLine(mask(outcome.answer))).slice(0, ANSWER_LENGTH) };
  if (!outcome.ok) return { ...outcome, error: mask(outcome.error), ...answer };
  const { receipt, ...rest } = outcome;
  const isKept = receipt !== undefined && (JSON.stringify(receipt)?.length ?? Infinity) <= RECEIPT_LENGTH;
  return { ...rest, ...answer, ...(isKept ? { receipt } : {}) };
}

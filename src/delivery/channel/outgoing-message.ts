// What a channel is given of a delivery.
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { notificationIdOf } from '../../model/ids.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';

/** What it is given besides: `resolution`: why the notification is not open any more, where that is what changed. */
export type MessageContext = Pick<
  OutgoingMessage,
  'resolution' | 'threadReceipt' | 'acknowledgeWith' | 'showWith' | 'question'
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
    showWith: null,
    question: null,
  };
}

// What a channel is given of a delivery.
import type { OutgoingMessage } from '../model/channel.ts';
import type { Delivery } from '../model/delivery.ts';
import { notificationIdOf } from '../model/ids.ts';
import type { NotificationContent } from '../model/notification.ts';
import type { Store } from '../store/contract.ts';

/** The message of the next attempt. */
export function outgoingMessage(delivery: Delivery): OutgoingMessage {
  const { id, notificationId, revision, operation, content, threadKey, step } = delivery;
  return {
    ...{ id, notificationId, revision, operation, content, threadKey, step },
    attempt: delivery.attempts + 1,
    resolution: null,
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
  };
}

/** What the channel gave back for the notification's last send or update; null for a first send, which needs none. */
export async function earlierReceipt(delivery: Delivery, store: Pick<Store, 'latestReceipt'>): Promise<unknown> {
  if (delivery.operation === 'send') return null;
  return store.latestReceipt(delivery.notificationId, delivery.channel);
}

// Makes the outbox rows of planned changes: each with the content that its message was given last.
import { type Delivery, newDelivery, type PlannedDelivery, rowFields } from '../model/delivery/delivery.ts';
import { deliveryIdOf } from '../model/ids.ts';
import type { Notification } from '../model/notification/notification.ts';
import type { StoreReader } from '../store/contract.ts';

/** Rows of the changes that `planChanges` planned. A message of which no delivery is kept any more gets none. `now`: Unix ms. */
export async function buildChanges(
  notification: Pick<Notification, 'id' | 'threadKey' | 'eventIds'>,
  plan: readonly PlannedDelivery[],
  store: Pick<StoreReader, 'deliveries'>,
  now: number,
): Promise<readonly Delivery[]> {
  const { id: notificationId, threadKey, eventIds } = notification;
  const rows = await Promise.all(
    plan.map(async (one): Promise<readonly Delivery[]> => {
      const planned = rowFields(one);
      const { channel, step } = planned;
      const [before] = await store.deliveries({ notificationId, channel, step, limit: 1 }); // the latest
      if (before === undefined) return [];
      const eventId = eventIds[0] ?? before.eventId;
      const id = deliveryIdOf(eventId, channel, { notificationId, ...planned });
      const scheduled = planned.due > now;
      return [
        { ...newDelivery(now), ...planned, id, notificationId, eventId, threadKey, scheduled, content: before.content },
      ];
    }),
  );
  return rows.flat();
}

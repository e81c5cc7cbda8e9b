// Makes the outbox rows of planned changes: each with the content that its channel was given last.
import { type Delivery, newDelivery } from '../model/delivery.ts';
import { deliveryIdOf } from '../model/ids.ts';
import type { Notification } from '../model/notification.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import type { StoreReader } from '../store/contract.ts';

/** Deliveries read of one channel: the latest has the content. */
const LATEST = 1;

/** Rows of the changes that `planChanges` planned. A channel of which no delivery is kept any more gets none. `now`: Unix ms. */
export async function buildChanges(
  notification: Pick<Notification, 'id' | 'threadKey' | 'eventIds'>,
  plan: readonly PlannedDelivery[],
  store: Pick<StoreReader, 'deliveries'>,
  now: number,
): Promise<readonly Delivery[]> {
  const { id: notificationId, threadKey, eventIds } = notification;
  const rows = await Promise.all(
    plan.map(async ({ reason: _reason, ...planned }): Promise<readonly Delivery[]> => {
      const [before] = await store.deliveries({ notificationId, channel: planned.channel, limit: LATEST });
      if (before === undefined) return [];
      const eventId = eventIds[0] ?? before.eventId;
      const id = deliveryIdOf(eventId, planned.channel, { notificationId, ...planned });
      const scheduled = planned.due > now;
      return [
        { ...newDelivery(now), ...planned, id, notificationId, eventId, threadKey, scheduled, content: before.content },
      ];
    }),
  );
  return rows.flat();
}

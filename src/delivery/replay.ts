// Delivering again. A dead letter was never accepted: it goes out under its own id, with its attempts counted anew.
// What was sent or folded goes out under a new id, or the receiver would drop it as a repeat.
import type { Delivery } from '../model/delivery.ts';
import type { Store } from '../store/contract.ts';

/** Returns the ids of the deliveries that will go out; those on their way anyway are not among them. */
export async function replay(
  store: Pick<Store, 'move' | 'addDelivery'>,
  deliveries: readonly Delivery[],
  now: number,
): Promise<readonly string[]> {
  const going: string[] = [];
  for (const delivery of deliveries) {
    if (delivery.state === 'dead') {
      if ((await store.move({ ids: [delivery.id], from: ['dead'] }, 'pending', now)) > 0) going.push(delivery.id);
    } else if (delivery.state === 'sent' || delivery.state === 'folded') {
      const id = `${delivery.id}-again-${now.toString(36)}`;
      await store.addDelivery({
        ...delivery,
        id,
        state: 'pending',
        attempts: 0,
        due: now,
        createdAt: now,
        updatedAt: now,
        lastReason: null,
        lastError: null,
      });
      going.push(id);
    }
  }
  return going;
}

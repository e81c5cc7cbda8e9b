// After an outage: old deliveries are sent as one digest instead of one by one.
import { type Delivery, newDelivery } from '../model/delivery.ts';
import { URGENCIES } from '../model/event.ts';
import type { Store } from '../store/contract.ts';

/** Older than this is stale, ms. */
const STALE = 3_600_000;
/** Up to this many stale deliveries are still sent one by one. */
const FEW = 3;
/** Titles a digest lists. */
const LISTED = 10;
/** Deliveries superseded in one transaction. */
const BATCH = 1_000;

/** Replaces a channel's stale paused deliveries with digests; returns how many were replaced. */
export async function digestBacklog(
  store: Pick<Store, 'deliveries' | 'replaceWithDigest'>,
  channel: string,
  now: number,
): Promise<number> {
  let superseded = 0;
  for (;;) {
    const stale = await store.deliveries({
      channel,
      states: ['paused'],
      operations: ['send'],
      createdBefore: now - STALE,
      limit: BATCH,
      fromOldest: true,
    });
    if (stale.length <= FEW) return superseded;
    superseded += await store.replaceWithDigest(
      stale.map((d) => d.id),
      digestOf(stale, now),
    );
  }
}

/** One delivery in the place of many, oldest first. */
function digestOf(stale: readonly Delivery[], now: number): Delivery {
  const last = stale[stale.length - 1] as Delivery; // there are more than a few
  const count = stale.reduce((sum, d) => sum + d.content.count, 0);
  const urgency = Math.max(...stale.map((d) => URGENCIES.indexOf(d.content.urgency)));
  const listed = stale.slice(-LISTED).map((d) => `- ${d.content.title}`);
  const more = stale.length - listed.length;
  const id = `${last.id}-digest`;
  return {
    ...last,
    id,
    threadKey: `digest:${id}`,
    content: {
      ...last.content,
      title: `${count} notifications while this channel was failing`,
      body: [...(more > 0 ? [`${more} earlier ones, then:`] : []), ...listed].join('\n'),
      urgency: URGENCIES[urgency] ?? 'normal',
      abnormal: stale.some((d) => d.content.abnormal),
      count,
      events: stale.flatMap((d) => d.content.events),
      context: { messages: [] },
    },
    ...newDelivery(now),
    due: last.createdAt, // before what is fresh
  };
}

// The open notifications of a batch, with what became of their members.
import type { Resolution } from '../../model/channel/channel.ts';
import type { Notification } from '../../model/notification/notification.ts';
import { acknowledgedWords } from '../../model/notification/resolution.ts';
import { notificationIdOf } from '../../model/ids.ts';
import { membersNow, type OpenGroup } from '../../dispatch/regroup.ts';
import { notificationFacts } from '../../dispatch/notification-facts.ts';
import type { StoreReader } from '../../store/contract.ts';

/** One of them. */
export interface OpenBatch extends OpenGroup {
  /** As they are now. */
  readonly members: ReturnType<typeof membersNow>;
  /** Their own notifications, as far as they are kept. */
  readonly own: readonly Notification[];
}

type Reads = Pick<StoreReader, 'notifications' | 'deliveryProgress' | 'event'>;

/** Those of this thread key, oldest first. */
export async function openBatchesOf(hold: string, store: Reads): Promise<readonly OpenBatch[]> {
  const open = await store.notifications({ threadKey: hold, states: ['open'] });
  const found = open.map(async (notification): Promise<readonly OpenBatch[]> => {
    const { group, id, eventIds } = notification;
    if (group === undefined) return [];
    const own = await store.notifications({ ids: eventIds.map(notificationIdOf) });
    const states = new Map(own.map(({ eventIds: [first = ''], state }) => [first, state]));
    const [first] = eventIds;
    const stored = first === undefined ? null : await store.event(first);
    const rows = await store.deliveryProgress([id]);
    const facts = notificationFacts(notification, stored?.event ?? null, rows);
    return [{ facts, rows, group, members: membersNow(group, states), own }];
  });
  return (await Promise.all(found)).flat();
}

/** How it ended: as the last of its events did, of several in few words. Whoever has seen one of them has not seen them all. `now`: Unix ms. */
export function endOf(
  { members, own }: Pick<OpenBatch, 'own'> & { readonly members: readonly unknown[] },
  now: number,
): Resolution & { readonly acknowledged: Notification['acknowledged'] } {
  const [alone] = own;
  const last = own.map(overOf).reduce((latest, one) => (one.at >= latest.at ? one : latest), { at: 0, by: null });
  if (last.by !== null) return { why: acknowledgedWords(last.by), at: last.at, acknowledged: last.by };
  const why = members.length === 1 && alone?.resolved ? alone.resolved.why : `all ${members.length} are over`;
  return { why, at: Math.min(now, last.at), acknowledged: null };
}

/** When one was over, and who has seen it by then; null: nobody. */
function overOf({ resolved, acknowledged }: Notification): { at: number; by: Notification['acknowledged'] } {
  const isSeen = acknowledged !== null && (resolved === null || acknowledged.at <= resolved.at);
  return isSeen ? { at: acknowledged.at, by: acknowledged } : { at: resolved?.at ?? 0, by: null };
}

// The open notifications of a group or a storm, with what became of their members.
import type { Resolution } from '../model/channel.ts';
import type { Notification } from '../model/notification.ts';
import { acknowledgedWords } from '../model/resolution.ts';
import { notificationIdOf } from '../model/ids.ts';
import { membersNow, notificationFacts, type OpenGroup } from '../pipeline/index.ts';
import type { StoreReader } from '../store/contract.ts';

/** One of them. */
export interface OpenGroupRow extends OpenGroup {
  /** As they are now. */
  readonly members: ReturnType<typeof membersNow>;
  /** Their own notifications, as far as they are kept. */
  readonly own: readonly Notification[];
}

type Reads = Pick<StoreReader, 'notifications' | 'deliveryProgress' | 'event'>;

/** Those of this thread key, oldest first. */
export async function openGroupsOf(hold: string, store: Reads): Promise<readonly OpenGroupRow[]> {
  const open = await store.notifications({ threadKey: hold, states: ['open'] });
  const found = open.map(async (notification): Promise<readonly OpenGroupRow[]> => {
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

/** How it ended: of one event as that did, of several in few words. `now`: Unix ms. */
export function endOf(
  { members, own }: OpenGroupRow,
  now: number,
): Resolution & { readonly acknowledged: Notification['acknowledged'] } {
  const [alone] = own;
  const acknowledged = own.findLast((one) => one.acknowledged !== null)?.acknowledged ?? null;
  const at = Math.min(now, Math.max(...own.map(({ resolved }) => resolved?.at ?? 0), acknowledged?.at ?? 0));
  if (acknowledged !== null) return { why: acknowledgedWords(acknowledged), at: acknowledged.at, acknowledged };
  const why = members.length === 1 && alone?.resolved ? alone.resolved.why : `all ${members.length} are over`;
  return { why, at, acknowledged: null };
}

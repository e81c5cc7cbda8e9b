// A group or a storm that is due, or any batch of which something is over: it goes out, grows, shrinks or ends.
import { shrank, takingOf } from '../../dispatch/regroup.ts';
import { batchPlanOf, groupTimer } from '../../dispatch/batch-plan.ts';
import { type Delivery, IN_GROUP, type PlannedCancel } from '../../model/delivery/delivery.ts';
import { isDigestThread, isGroupHold } from '../../model/delivery/holds.ts';
import type { BatchMember, Notification } from '../../model/notification/notification.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { resolveNotification } from '../../pipeline/index.ts';
import type { StoreReader } from '../../store/contract.ts';
import { arrivalsOf, type Due, heldElsewhere, type Parts, planOf, sent, sorted } from './batch.ts';
import { stepRows } from './batch-rows.ts';
import { endOf, type OpenBatch, openBatchesOf } from './open-batches.ts';
import type { Plan } from '../writer.ts';

/** Most deliveries that join a group at once; those beyond join it the next time. */
const MAX_JOINING = 500;

const isOver = ({ members }: { readonly members: readonly BatchMember[] }): boolean =>
  members.every((member) => member.isOver);

/** Ends what of it is over: its messages are changed or removed as those of one event are. */
function closed(open: OpenBatch, { gate, now }: Due): Parts {
  const end = endOf(open, now);
  const { notification, plan } = resolveNotification(open.facts, gate.profiles, end, now);
  const { acknowledged } = end;
  const row: Notification =
    acknowledged === null ? notification : { ...notification, state: 'acknowledged', resolved: null, acknowledged };
  const because = acknowledged === null ? 'resolved' : 'acknowledged';
  const cancel: readonly PlannedCancel[] = [{ notificationId: notification.id, because }];
  return { changed: [{ notification: row, plan }], cancel };
}

/** The timer that takes this one's place; null: nothing waits, and the next may come at any time. */
function nextTimer(
  { hold, plan, now }: Due,
  waiting: readonly Delivery[],
  last: { readonly sentAt: number | null; readonly changed: boolean },
): Timer | null {
  const earliest = last.sentAt === null ? now : last.sentAt + plan.every;
  if (waiting.length > 0 || last.changed) {
    const dues = waiting.map(({ due }) => due);
    const first = last.changed || dues.length === 0 ? earliest : Math.min(...dues);
    return groupTimer(hold, Math.max(first, earliest), true, plan);
  }
  return earliest > now && isGroupHold(hold) ? groupTimer(hold, earliest, false, plan) : null;
}

/** A group or a storm that is due, or a digest of which something is over. A timer: it only looks again then; null: nothing is left to do. */
export async function grown(due: Due, store: StoreReader): Promise<Plan | Timer | null> {
  const { hold, plan, now, timer } = due;
  const held = { heldBy: hold, states: ['pending'], limit: MAX_JOINING, fromOldest: true } as const;
  const found = sorted(await store.deliveries(held), due);
  const opens = await openBatchesOf(hold, store);
  const going = opens.filter((open) => !isOver(open));
  // A digest that was sent takes no more, and is kept true as long as it stands.
  const taking = isDigestThread(hold) ? going.at(-1) : takingOf(going, plan.every, now);
  const open = going.find(({ facts }) => facts === taking?.facts) ?? null;
  const changed = open !== null && shrank(open.group, open.members);
  const mayGo = open === null || now >= open.group.sentAt + plan.every;
  const goes = mayGo && (found.goes.length > 0 || changed);
  const isForPeople = (channel: string): boolean => due.gate.profiles.get(channel)?.audience === 'people';
  const steps = batchPlanOf(timer);
  // Where people are notified of an event by something else only, what would have followed the group follows that.
  const comes = [...found.goes, ...found.waits].filter(({ channel }) => isForPeople(channel));
  const members = opens.flatMap((one) => one.members).filter(({ channels }) => channels.some(isForPeople));
  const notified = new Set([...comes.map(({ eventId }) => eventId), ...members.map(({ event }) => event.id)]);
  const isForRecords = found.reheld.length > 0 && comes.length === 0;
  const to = { thread: hold, plan: isForRecords ? { ...plan, escalate: [], repeat: null } : plan, note: IN_GROUP };
  const parts = [
    ...opens.filter(isOver).map((one) => closed(one, due)),
    ...(goes ? [await sent(found.goes, await arrivalsOf(found.goes, new Set(), store), open, to, due, store)] : []),
    ...(found.reheld.length > 0 ? [heldElsewhere(found)] : []),
    ...(await Promise.all(found.reheld.map(({ row }) => stepRows(row, steps, !notified.has(row.eventId), due, store)))),
  ];
  const waiting = goes ? found.waits : [...found.waits, ...found.goes];
  const last = { sentAt: goes ? now : (open?.group.sentAt ?? null), changed: changed && !goes };
  const next = nextTimer(due, waiting, last);
  if (parts.length > 0) return planOf(due, [...parts, { timers: next === null ? [] : [next] }]);
  return next;
}

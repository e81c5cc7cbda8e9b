// What goes out as one: what the gate lets out of a hold, as a notification with members that is new or changes one that is there.
import { type Arrival, isDealtWith, regroup } from '../../dispatch/regroup.ts';
import { type BatchPlan, releaseTimer } from '../../dispatch/batch-plan.ts';
import { forecast, gatedSend, type GateFacts } from '../../dispatch/gate.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Delivery, Rehold } from '../../model/delivery/delivery.ts';
import { isGroupHold, LONGEST_HOLD, QUIET_HOLD } from '../../model/delivery/holds.ts';
import { notificationIdOf } from '../../model/ids.ts';
import type { Notification } from '../../model/notification/notification.ts';
import type { Timer } from '../../model/event/verdict.ts';
import type { StoreReader } from '../../store/contract.ts';
import { batchRows } from './batch-rows.ts';
import type { OpenBatch } from './open-batches.ts';
import type { Plan } from '../writer.ts';

/** One due timer, with what was read for it. */
export interface Due {
  readonly timer: Timer;
  /** What it lets out, or the thread of the digest that it is about. */
  readonly hold: string;
  readonly plan: BatchPlan;
  readonly config: Config;
  readonly gate: GateFacts;
  readonly now: number;
}

/** A part of a decision. `timers`: to be set; `clear`: ids of those that end with it. */
export type Parts = Omit<Plan, 'timers' | 'entryId' | 'at'> & {
  readonly timers?: readonly Timer[];
  readonly clear?: readonly string[];
};

export function planOf({ timer, hold, now }: Due, parts: readonly Parts[]): Plan {
  return {
    entryId: `${timer.id}:${timer.due}`,
    at: now,
    changed: parts.flatMap(({ changed = [] }) => changed),
    events: parts.flatMap(({ events = [] }) => events),
    notifications: parts.flatMap(({ notifications = [] }) => notifications),
    cancel: parts.flatMap(({ cancel = [] }) => cancel),
    rehold: parts.flatMap(({ rehold = [] }) => rehold),
    deliveries: parts.flatMap(({ deliveries = [] }) => deliveries),
    timers: {
      set: parts.flatMap(({ timers = [] }) => timers),
      clear: [...parts.flatMap(({ clear = [] }) => clear), hold],
    },
  };
}

/** What the gate says of what is held: it goes, waits for its own time, or something else holds it now. */
export interface Sorted {
  readonly goes: readonly Delivery[];
  readonly waits: readonly Delivery[];
  readonly reheld: readonly { readonly row: Delivery; readonly to: Rehold }[];
}

export function sorted(rows: readonly Delivery[], { timer, hold, gate, now }: Due): Sorted {
  const found = { goes: [] as Delivery[], waits: [] as Delivery[], reheld: [] as Sorted['reheld'][number][] };
  for (const row of rows) {
    const asked = forecast(gatedSend(row), gate, now);
    if (isGroupHold(hold) && row.due > now) found.waits.push(row);
    else if (timer.data['force'] === true || asked.verdict === 'go' || asked.verdict === 'seen') found.goes.push(row);
    else {
      const heldBy = asked.verdict === 'hold' ? asked.by : QUIET_HOLD;
      found.reheld.push({ row, to: { id: row.id, heldBy, due: asked.until ?? now + LONGEST_HOLD } });
    }
  }
  return found;
}

/** What something else holds now, with the timers at which that ends. */
export function heldElsewhere({ reheld }: Sorted): Parts {
  const ends = new Map<string, number>();
  for (const { to } of reheld) if (to.heldBy !== null) ends.set(to.heldBy, Math.max(to.due, ends.get(to.heldBy) ?? 0));
  return {
    rehold: reheld.map(({ to }) => to),
    timers: [...ends].map(([hold, due]) => releaseTimer(hold, due)),
  };
}

/** What is let out, event by event: of a batch that something else held each member that the message tells of. With the notifications of these events. */
export async function arrivalsOf(
  rows: readonly Delivery[],
  shared: ReadonlySet<string>,
  store: StoreReader,
): Promise<{ readonly arrivals: readonly Arrival[]; readonly own: readonly Notification[] }> {
  const ids = [...new Set(rows.map(({ notificationId }) => notificationId))];
  const found = await store.notifications({ ids, limit: ids.length });
  const members = found.flatMap(({ group }) => (group?.members ?? []).map(({ event }) => notificationIdOf(event.id)));
  const inside = members.length === 0 ? [] : await store.notifications({ ids: members, limit: members.length });
  const byId = new Map([...found, ...inside].map((one) => [one.id, one]));
  const events = await store.eventsById(rows.map(({ eventId }) => eventId));
  const arrivals = rows.flatMap(({ channel, notificationId, eventId, step, content }): readonly Arrival[] => {
    const row = byId.get(notificationId);
    const of = { channel, notificationId, step, ...(shared.has(notificationId) && { later: true as const }) };
    if (row?.group !== undefined)
      return row.group.members
        .filter(({ event }) => content.events.includes(event.id))
        .map(({ event, title }) => {
          const state = byId.get(notificationIdOf(event.id))?.state;
          return { ...of, event, title, isOver: isDealtWith(state) };
        });
    const title = step > 0 ? content.title : (row?.title ?? content.title);
    return [{ ...of, event: events.get(eventId) ?? content.event, title, isOver: isDealtWith(row?.state) }];
  });
  return { arrivals, own: [...byId.values()].filter(({ group }) => group === undefined) };
}

/** Sends what came, or what is left of the batch, as a new notification or a change of `open`. */
export async function sent(
  rows: readonly Delivery[],
  { arrivals, own }: Awaited<ReturnType<typeof arrivalsOf>>,
  open: OpenBatch | null,
  { thread, plan, note }: { readonly thread: string; readonly plan: BatchPlan; readonly note: string },
  { config, gate: { profiles }, now }: Due,
  store: StoreReader,
): Promise<Parts> {
  const id = open?.facts.notification.id ?? notificationIdOf(`${thread}\n${arrivals[0]?.event.id ?? ''}`);
  const before = open === null ? await store.notification(id) : open.facts.notification;
  const members = open?.members ?? [];
  const done = regroup({ id, open, members, arrivals, plan, profiles, note, now });
  const built = await batchRows(done, { id, thread, plan, before, rows }, { config, profiles, store, now });
  const inBatch = own.map((notification) => ({ ...notification, inGroup: id, updatedAt: now }));
  return { ...built, notifications: [built.notification, ...inBatch], cancel: done.cancel };
}

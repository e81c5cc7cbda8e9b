// The timer that lets a hold out as one batch, and what it keeps: how often its message may change, and what follows it.
import { ONLY, type Only } from '../model/delivery/delivery.ts';
import type { Notification } from '../model/notification/notification.ts';
import type { Escalation } from '../model/settings/routes.ts';
import type { Timer } from '../model/event/verdict.ts';

/** Kind of these timers. Their ids are the names of what they let out, or the thread keys of digests that were sent. */
export const BATCH = 'batch';

/** Times are ms. */
export interface BatchPlan {
  /** A group or a storm waits so long for others. */
  readonly wait: number;
  /** One message goes out or changes in so long a time. */
  readonly every: number;
  readonly only: Only;
  /** Of the routes of what joined last. */
  readonly escalate: readonly Escalation[];
  /** Null: no reminders. */
  readonly repeat: number | null;
}

/** Where nothing says otherwise: of digests, and of a timer whose data is damaged. */
export const PLAIN_BATCH: BatchPlan = { wait: 0, every: 60_000, only: 'always', escalate: [], repeat: null };

/** Of a group or a storm. `pending`: something is held until then; else it only says when the next may go out at the earliest. `due`: Unix ms. */
export function groupTimer(hold: string, due: number, pending: boolean, plan: BatchPlan): Timer {
  return { id: hold, kind: BATCH, due, data: { ...plan, pending } };
}

/** Of quiet hours, a mute or an outage that ends at `due`, Unix ms, and of a group that lost its own. `force`: somebody asked for it, whatever is quiet or muted then. */
export function releaseTimer(hold: string, due: number, force = false): Timer {
  return { id: hold, kind: BATCH, due, data: { force } };
}

/** What a timer of a group keeps; null: it keeps none. */
export function batchPlanOf({ data }: Timer): (BatchPlan & { readonly pending: boolean }) | null {
  const { pending, wait, every, only, escalate, repeat } = data;
  const known = ONLY.find((one) => one === only);
  if (typeof wait !== 'number' || typeof every !== 'number' || known === undefined) return null;
  const steps = Array.isArray(escalate) ? escalate.filter(isEscalation) : [];
  const reminders = typeof repeat === 'number' && repeat > 0 ? repeat : null;
  return { pending: pending === true, wait, every, only: known, escalate: steps, repeat: reminders };
}

/** Written from one: durations are numbers. */
function isEscalation(value: unknown): value is Escalation {
  const { after, to } = (value ?? {}) as Partial<Escalation>;
  return typeof after === 'number' && Array.isArray(to) && to.every((channel) => typeof channel === 'string');
}

/** What is known of the open batches that some events are in. */
export interface KnownBatches {
  readonly groups: readonly Notification[];
  /** Those that are set already, by the name of what they let out. */
  readonly groupTimers: ReadonlyMap<string, Timer>;
}

/** Batches of which something is over look again at once: the timers to set when nobody needs to be notified of these events any more. `now`: Unix ms. */
export function batchesOver(
  eventIds: readonly string[],
  { groups, groupTimers }: KnownBatches,
  now: number,
): readonly Timer[] {
  return groups.flatMap(({ threadKey, group, eventIds: members }): readonly Timer[] => {
    if (group === undefined || !members.some((id) => eventIds.includes(id))) return [];
    const set = groupTimers.get(threadKey);
    if (set?.kind === BATCH) return [{ ...set, due: Math.min(set.due, now) }];
    return [groupTimer(threadKey, now, false, { ...PLAIN_BATCH, every: group.every })];
  });
}

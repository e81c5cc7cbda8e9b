// A group or a storm that is due: what was held for it goes out as one notification, which later grows, shrinks and ends, in one decision each.
import type { Config } from '../model/config.ts';
import type { Delivery } from '../model/delivery.ts';
import { notificationIdOf } from '../model/ids.ts';
import type { GroupState, Notification } from '../model/notification.ts';
import type { PlannedCancel } from '../model/planned-delivery.ts';
import type { Timer } from '../model/verdict.ts';
import {
  type Arrival,
  groupPlanOf,
  type GroupPlan,
  groupTimer,
  isDealtWith,
  regroup,
  resolveNotification,
  shrank,
  takingOf,
} from '../pipeline/index.ts';
import type { Decision, Store } from '../store/contract.ts';
import { buildChanges } from '../decisions/build-changes.ts';
import type { Plan } from '../decisions/writer.ts';
import { channelProfiles } from './channel-profiles.ts';
import { buildGroup } from './build-group.ts';
import { silenceHeld } from './silence-held.ts';
import { endOf, openGroupsOf, type OpenGroupRow } from './open-groups.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import type { TimerHandler } from './scheduler.ts';

type GroupDeps = Pick<PipelineRunnerDeps, 'store' | 'clock' | 'config' | 'home' | 'writer'>;

/** Most deliveries that join a group at once; those beyond join it the next time. */
const MOST = 500;

type Written = Pick<Decision, 'notifications' | 'cancel' | 'deliveries'> & { readonly timers: readonly Timer[] };
const NOTHING: Written = { notifications: [], cancel: [], deliveries: [], timers: [] };

const joined = (parts: readonly Written[]): Written => ({
  notifications: parts.flatMap(({ notifications }) => notifications),
  cancel: parts.flatMap(({ cancel }) => cancel),
  deliveries: parts.flatMap(({ deliveries }) => deliveries),
  timers: parts.flatMap(({ timers }) => timers),
});

/** Ends what of the group is over: its messages are changed or removed as those of one event are. */
async function closed(open: OpenGroupRow, config: Config, store: Store, now: number): Promise<Written> {
  const end = endOf(open, now);
  const { notification, plan } = resolveNotification(open.facts, channelProfiles(config), end, now);
  const { acknowledged } = end;
  const row: Notification =
    acknowledged === null ? notification : { ...notification, state: 'acknowledged', resolved: null, acknowledged };
  const because = acknowledged === null ? 'resolved' : 'acknowledged';
  const cancel: readonly PlannedCancel[] = [{ notificationId: notification.id, because }];
  return { ...NOTHING, notifications: [row], cancel, deliveries: await buildChanges(notification, plan, store, now) };
}

/** What came, with the titles that their own notifications have. */
async function arrivalsOf(
  rows: readonly Delivery[],
  store: Store,
): Promise<{ readonly arrivals: readonly Arrival[]; readonly own: readonly Notification[] }> {
  const own = await store.notifications({ ids: [...new Set(rows.map(({ notificationId }) => notificationId))] });
  const byId = new Map(own.map((one) => [one.id, one]));
  const found = rows.map(async ({ channel, notificationId, eventId, content }): Promise<Arrival> => {
    const stored = await store.event(eventId);
    const { title = content.title, state } = byId.get(notificationId) ?? {};
    return { channel, notificationId, event: stored?.event ?? content.event, title, isOver: isDealtWith(state) };
  });
  return { arrivals: await Promise.all(found), own };
}

/** One due timer, with all that was read for it. */
interface Due {
  readonly hold: string;
  readonly plan: GroupPlan;
  readonly config: Config;
  readonly now: number;
}

/** Sends what came, or only what is left of the group, as a new notification or a change of `open`. */
async function sent(
  rows: readonly Delivery[],
  open: OpenGroupRow | null,
  { hold, plan, config, now }: Due,
  store: Store,
): Promise<Written> {
  const { arrivals, own } = await arrivalsOf(rows, store);
  const id = open?.facts.notification.id ?? notificationIdOf(`${hold}\n${rows[0]?.eventId ?? ''}`);
  const before = open === null ? await store.notification(id) : open.facts.notification;
  const members = open?.members ?? [];
  const profiles = channelProfiles(config);
  const done = regroup({ id, open, members, arrivals, plan, profiles, now });
  const built = await buildGroup(done, { id, hold, plan, before, rows }, { config, store, now });
  const inGroup = own.map((notification) => ({ ...notification, inGroup: id, updatedAt: now }));
  return { ...built, notifications: [built.notification, ...inGroup], cancel: done.cancel };
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
  return earliest > now ? groupTimer(hold, earliest, false, plan) : null;
}

/** What joined while this was decided set the timer that was cleared then. */
async function lookAgain({ hold, plan, now }: Due, store: Store): Promise<void> {
  const left = await store.deliveries({ heldBy: hold, states: ['pending'], limit: 1 });
  if (left.length === 0) return;
  const timers = await store.timers([hold]);
  if (timers.length === 0) await store.setTimer(groupTimer(hold, now + 1, true, plan), now);
}

const isOver = ({ members }: Pick<GroupState, 'members'>): boolean => members.every((member) => member.isOver);

interface Going {
  readonly plan: Plan;
  readonly after: () => Promise<void>;
}

/** Null: nothing goes out now. `after`: once it is written. */
async function goOut(timer: Timer, deps: GroupDeps): Promise<Going | null> {
  const { store, clock } = deps;
  const hold = timer.id;
  const config = deps.config();
  const now = clock.now();
  const held = await store.deliveries({ heldBy: hold, states: ['pending'], limit: MOST, fromOldest: true });
  const rows = await silenceHeld(held, { ...deps, config, now, steps: groupPlanOf(timer) });
  const opens = await openGroupsOf(hold, store);
  const over = opens.filter(isOver);
  const plan = groupPlanOf(timer) ?? { ...FALLBACK, every: opens.at(-1)?.group.every ?? FALLBACK.every };
  const due: Due = { hold, plan, config, now };
  const taking = takingOf(
    opens.filter((open) => !isOver(open)),
    plan.every,
    now,
  );
  const open = opens.find(({ facts }) => facts === taking?.facts) ?? null;
  const ready = rows.filter((row) => row.due <= now);
  const changed = open !== null && shrank(open.group, open.members);
  const mayGo = open === null || now >= open.group.sentAt + plan.every;
  const goes = mayGo && (ready.length > 0 || changed);
  const parts = [
    ...(await Promise.all(over.map((one) => closed(one, config, store, now)))),
    ...(goes ? [await sent(ready, open, due, store)] : []),
  ];
  const waiting = goes ? rows.filter((row) => row.due > now) : rows;
  const last = { sentAt: goes ? now : (open?.group.sentAt ?? null), changed: changed && !goes };
  const next = nextTimer(due, waiting, last);
  if (parts.length === 0) {
    if (next !== null) await store.setTimer(next, now);
    else {
      await store.clearTimer(hold);
      await lookAgain(due, store);
    }
    return null;
  }
  const { timers, ...written } = joined(parts);
  const set = [...timers, ...(next === null ? [] : [next])];
  return {
    plan: {
      ...{ entryId: `${timer.id}:${timer.due}`, at: now, ...written },
      timers: { set, clear: next === null ? [hold] : [] },
    },
    after: async () => {
      if (next === null) await lookAgain(due, store);
    },
  };
}

/** Of a timer whose data was damaged. */
const FALLBACK: GroupPlan = { wait: 0, every: 60_000, only: 'always', escalate: [], repeat: null };

/** For timers of kind `group`. */
export function groupHandler(deps: GroupDeps): TimerHandler {
  return async (timer) => {
    const { store, clock, writer } = deps;
    let after: Going['after'] = async () => undefined;
    const { result } = await writer.write(async () => {
      const going = await goOut(timer, deps);
      if (going !== null) after = going.after;
      return going?.plan ?? null;
    });
    const now = clock.now();
    // Decided at this very moment, or before the clock was set back: under another time it is decided again.
    if (result === 'already') await store.setTimer({ ...timer, due: now + 1 }, now);
    if (result === 'written') await after();
  };
}

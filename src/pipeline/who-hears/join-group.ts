// What goes out together with others, and when; and after silence and quiet, what of it is then held for that.
import type { PlannedDelivery } from '../../model/delivery/delivery.ts';
import { durationSetting } from '../../model/quantities.ts';
import type { Timer } from '../../model/event/verdict.ts';
import { fieldsOf, groupDue, groupKeyOf } from '../../dispatch/group.ts';
import { type BatchPlan, batchPlanOf, groupTimer } from '../../dispatch/batch-plan.ts';
import { addVerdict, type Facts, type PipelineState, type Stage, type HearingContext } from '../pipeline-state.ts';
import { isStorm, STORM_GROUP, stormHoldOf } from '../../dispatch/storm.ts';
import type { Join, MatchedRoute } from './timing.ts';

/** What a channel's first send joins; null: it goes out alone. */
function joinOf(state: PipelineState, planned: PlannedDelivery, { facts, now }: HearingContext): Join | null {
  const { channel, only } = planned;
  const { event } = state;
  const by = state.grouped.get(channel);
  const none = { escalate: [], repeat: null } as const;
  if (by?.route.group !== undefined) {
    const hold = groupKeyOf(event, by.route);
    const { wait, every } = by.route.group;
    return hold === null ? null : { hold, plan: { wait, every, only, ...none }, routes: [by] };
  }
  if (facts.profiles.get(channel)?.audience !== 'people') return null;
  if (!isStorm(event, facts.plannedSends.get(channel) ?? [], now)) return null;
  const routes = state.routes.filter(({ route }) => route.to.includes(channel));
  return { hold: stormHoldOf(event, channel), plan: { ...STORM_GROUP, only, ...none }, routes };
}

/** The groups and storms that its first sends join. */
export function holdsJoined(state: PipelineState, context: HearingContext): readonly string[] {
  return [...new Set(state.plan.flatMap((planned) => joinOf(state, planned, context)?.hold ?? []))];
}

/**
 * Each route gives its steps and reminders to one group: its own, else, where other routes' groups leave it nothing to send, the first of
 * these. One that also sends alone keeps them. What is held for a digest counts for neither.
 */
function withSteps(joins: ReadonlyMap<string, Join>, { plan, routes }: PipelineState): ReadonlyMap<string, Join> {
  const given = new Set<MatchedRoute>();
  const isWhole = ({ route }: MatchedRoute): boolean =>
    plan.every(({ channel, heldBy }) => heldBy !== undefined || !route.to.includes(channel) || joins.has(channel));
  const take = (from: readonly MatchedRoute[]): readonly MatchedRoute[] => {
    const taken = from.filter((one) => isWhole(one) && !given.has(one));
    for (const one of taken) given.add(one);
    return taken;
  };
  const isTaken = ({ route }: MatchedRoute): boolean =>
    plan.every(({ channel }) => !route.to.includes(channel) || joins.has(channel));
  const own = [...joins].map(([channel, join]) => ({ channel, join, taken: take(join.routes) }));
  return new Map(
    own.map(({ channel, join, taken }) => {
      const all = [...taken, ...take(routes.filter((one) => one.route.to.includes(channel) && isTaken(one)))];
      const repeats = all.flatMap(({ route }) => route.repeat ?? []);
      const steps = {
        escalate: all.flatMap(({ route }) => route.escalate ?? []),
        repeat: repeats.length > 0 ? Math.min(...repeats) : null,
      };
      return [channel, { ...join, routes: all, plan: { ...join.plan, ...steps } }];
    }),
  );
}

type Timers = Pick<Facts, 'groupTimers'>;

/** Unix ms at which it goes out, if it could alone at `ready`. */
function dueOf({ hold, plan }: Join, ready: number, { groupTimers }: Timers): number {
  const timer = groupTimers.get(hold);
  const kept = timer === undefined ? null : batchPlanOf(timer);
  if (timer === undefined || kept === null) return groupDue(plan, null, ready);
  const { pending } = kept;
  return groupDue(plan, { due: pending ? timer.due : timer.due - plan.every, pending }, ready);
}

/** "desk in 2 s, with others of project payments, at most every 1 min". */
function wordsOf(channels: readonly string[], due: number, join: Join, state: PipelineState, now: number): string {
  const [channel = ''] = channels;
  const by = state.grouped.get(channel)?.route.group?.by;
  const others =
    by === undefined
      ? 'what else this session has: more than 20 in a minute'
      : `others of ${fieldsOf(state.event, by)}`;
  const often = `one message in ${durationSetting(join.plan.every)} at most`;
  return `${channels.join(', ')} in ${durationSetting(Math.max(0, due - now))}, with ${others}; ${often}`;
}

/** Moves the first sends that join a group or a storm to the time at which that goes out. */
export const planGroups: Stage = (state, context) => {
  const found = new Map<string, Join>();
  for (const planned of state.plan) {
    const join = joinOf(state, planned, context);
    if (join !== null) found.set(planned.channel, join);
  }
  if (found.size === 0) return state;
  const joins = found;
  const plan = state.plan.map((planned): PlannedDelivery => {
    const join = joins.get(planned.channel);
    return join === undefined ? planned : { ...planned, due: dueOf(join, planned.due, context.facts) };
  });
  const notes = [...new Set([...joins.values()].map(({ hold }) => hold))].flatMap((hold) => {
    const own = plan.filter(({ channel }) => joins.get(channel)?.hold === hold);
    const join = joins.get(own[0]?.channel ?? '');
    const channels = own.map(({ channel }) => channel);
    return join === undefined ? [] : [wordsOf(channels, own[0]?.due ?? context.now, join, state, context.now)];
  });
  return addVerdict({ ...state, plan, joins }, 'group', 'change', notes.join('; '));
};

/** What is held for a digest joins nothing; what does takes its route's further steps with it. */
export const keepJoins: Stage = (state) => {
  if (state.joins.size === 0) return state;
  const held = new Set(state.plan.flatMap(({ channel, heldBy }) => (heldBy === undefined ? [] : [channel])));
  const left = new Map([...state.joins].filter(([channel]) => !held.has(channel)));
  return { ...state, joins: withSteps(left, state) };
};

/** The timer at which it goes out: no later than one that is set already. */
function timerOf(hold: string, due: number, plan: BatchPlan, state: PipelineState, facts: Timers): Timer {
  const set = facts.groupTimers.get(hold);
  const pending = set !== undefined && batchPlanOf(set)?.pending === true ? [set] : [];
  const own = state.timersToSet.filter(({ id }) => id === hold);
  const dues = [...pending, ...own].map((timer) => timer.due);
  const before = pending.flatMap((timer) => batchPlanOf(timer) ?? []);
  return groupTimer(hold, Math.min(due, ...dues), true, before.reduce(withStepsOf, plan));
}

/** With what was to follow before: a storm takes events of several routes. */
function withStepsOf(plan: BatchPlan, before: BatchPlan): BatchPlan {
  const known = new Set(plan.escalate.map((step) => JSON.stringify(step)));
  const more = before.escalate.filter((step) => !known.has(JSON.stringify(step)));
  return { ...plan, escalate: [...plan.escalate, ...more], repeat: plan.repeat ?? before.repeat };
}

/** What nothing else holds is held by its group. */
export const joinGroups: Stage = (state, { facts }) => {
  if (state.joins.size === 0) return state;
  const plan = state.plan.map((planned): PlannedDelivery => {
    const join = planned.step === 0 && planned.heldBy === undefined ? state.joins.get(planned.channel) : undefined;
    return join === undefined ? planned : { ...planned, heldBy: join.hold };
  });
  const timers = new Map<string, Timer>();
  for (const { channel, due, heldBy } of plan) {
    const join = state.joins.get(channel);
    if (join === undefined || heldBy !== join.hold) continue;
    const before = timers.get(join.hold);
    const kept = before === undefined ? null : batchPlanOf(before);
    const { escalate, repeat } = join.plan;
    const steps = { escalate: [...(kept?.escalate ?? []), ...escalate], repeat: repeat ?? kept?.repeat ?? null };
    timers.set(
      join.hold,
      timerOf(join.hold, Math.min(due, before?.due ?? due), { ...join.plan, ...steps }, state, facts),
    );
  }
  const others = state.timersToSet.filter(({ id }) => !timers.has(id));
  return { ...state, plan, timersToSet: [...others, ...timers.values()] };
};

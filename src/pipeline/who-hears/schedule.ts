// What follows the first sends while nobody has dealt with it: escalation and reminders.
import type { Only, PlannedDelivery } from '../../model/delivery/delivery.ts';
import { QUIET_HOLD } from '../../model/delivery/holds.ts';
import { notificationIdOf } from '../../model/ids.ts';
import { durationSetting } from '../../model/quantities.ts';
import { type FirstSend, planEscalation } from '../../dispatch/escalation.ts';
import type { GateFacts } from '../../dispatch/gate.ts';
import { addVerdict, type HearingContext, type PipelineState, type Stage } from '../pipeline-state.ts';
import { planReminders, type Reminded } from '../../dispatch/remind.ts';
import { gateFactsOf, gateOf } from './hold-back.ts';
import { isWanted } from './route.ts';

/** The state without what joins a group: its steps follow the group's own first send. */
function alone(state: PipelineState): PipelineState {
  const { joins } = state;
  const given = new Set([...joins.values()].flatMap(({ routes }) => routes));
  const plan = state.plan.filter(({ channel }) => !joins.has(channel));
  return { ...state, plan, routes: state.routes.filter((matched) => !given.has(matched)) };
}

/** What the first sends decide for what follows; null where there are none. Held or not: what nothing holds keeps its time. */
function firstOf({ plan, routes, event }: PipelineState): FirstSend | null {
  if (plan.length === 0) return null;
  const conditions = new Set(routes.map(({ route }): Only => (event.urgency === 'urgent' ? 'always' : route.when)));
  const [only = 'always'] = conditions;
  const due = Math.min(...plan.map((planned) => planned.unheldDue ?? planned.due));
  return { due, revision: 1, only: conditions.size > 1 ? 'always' : only };
}

/** The channels of the first sends that people look at, to be reminded there; null: no route says so. */
function remindedOf({ plan, routes }: PipelineState, first: FirstSend, { facts }: HearingContext): Reminded | null {
  const every = routes.flatMap(({ route }) => (route.repeat === undefined ? [] : [route]));
  if (every.length === 0) return null;
  const named = new Set(every.flatMap(({ to }) => to));
  const isReminded = ({ channel }: PlannedDelivery): boolean =>
    named.has(channel) && facts.profiles.get(channel)?.audience === 'people';
  const channels = plan.filter(isReminded).map(({ channel, only }) => ({ channel, only }));
  if (channels.length === 0) return null;
  return { first: first.due, repeat: Math.min(...every.map(({ repeat = 0 }) => repeat)), channels };
}

/** "desk in 5 s", "phone in 2 min": one of each time. */
function words(plan: readonly PlannedDelivery[], now: number): string {
  const times = [...new Set(plan.map(({ due }) => due))].sort((a, b) => a - b);
  return times
    .map((due) => {
      const channels = plan.filter((planned) => planned.due === due).map(({ channel }) => channel);
      return `${channels.join(', ')} in ${durationSetting(due - now)}`;
    })
    .join('; ');
}

/** The end of the quiet hours in which a later step is due, Unix ms; null: it is not. */
function quietUntil(step: PlannedDelivery, state: PipelineState, facts: GateFacts): number | null {
  const verdict = gateOf(step, state, { ...facts, silences: [] });
  return verdict.verdict === 'wait' ? verdict.until : null;
}

/** Muted or quiet by what is known now, when a step is due. */
const isSilent = (step: PlannedDelivery, state: PipelineState, facts: GateFacts): boolean =>
  gateOf(step, state, facts).verdict !== 'go';

/**
 * A step that is due in quiet hours waits for their end, unless the digest of its channel takes its place. Where people are notified by a
 * digest first, one on a channel that is silent then counts from that.
 */
function whenHeard(steps: readonly PlannedDelivery[], state: PipelineState, isHeld: boolean, facts: GateFacts) {
  const digested = new Set(state.plan.flatMap(({ channel, heldBy }) => (heldBy === QUIET_HOLD ? [channel] : [])));
  return steps.map((step): PlannedDelivery => {
    if (isHeld) return isSilent(step, state, facts) ? { ...step, afterDigest: true } : step;
    const until = digested.has(step.channel) ? null : quietUntil(step, state, facts);
    return until === null ? step : { ...step, due: until };
  });
}

interface Notes {
  readonly steps: readonly PlannedDelivery[];
  readonly reminded: Reminded | null;
  readonly first: FirstSend;
}

function notesOf(state: PipelineState, { steps, reminded, first }: Notes, facts: GateFacts, now: number) {
  const delayed = state.plan.filter(({ due, heldBy }) => due > now && heldBy === undefined);
  const away = state.plan.filter(({ only }) => only !== 'always');
  const following = steps.filter(({ afterDigest }) => afterDigest);
  const others = steps.filter((step) => !following.includes(step));
  const held = [...new Set(others.filter((step) => isSilent(step, state, facts)).map(({ channel }) => channel))];
  const times = [
    ...(others.length > 0 ? [words(others, now)] : []),
    ...(following.length > 0 ? [`after the digest: ${words(following, first.due)}`] : []),
  ];
  return [
    ...(delayed.length > 0 ? [`${words(delayed, now)}, if it is still open`] : []),
    ...away.map(({ channel, only }) => `${channel} only while you are ${only}`),
    ...(steps.length > 0 ? [`unless acknowledged: ${times.join('; ')}`] : []),
    ...(held.length > 0 ? [`${held.join(', ')} muted by then, and held until that ends`] : []),
    ...(reminded === null ? [] : [`a reminder every ${durationSetting(reminded.repeat)} until acknowledged`]),
  ];
}

/** Nobody is notified before a digest: what people look at is held, or all of it. */
function isAllHeld(plan: readonly PlannedDelivery[], { facts }: HearingContext): boolean {
  const people = plan.filter(({ channel }) => facts.profiles.get(channel)?.audience === 'people');
  return (people.length > 0 ? people : plan).every(({ heldBy }) => heldBy !== undefined);
}

/** Plans the steps of the routes that match, and the first reminder. While nobody is notified, the timer of the reminders only waits for that. */
export const schedule: Stage = (state, context) => {
  const { now } = context;
  const own = alone(state);
  const first = firstOf(own);
  if (first === null) return state;
  const isHeld = isAllHeld(own.plan, context);
  const facts = gateFactsOf(context);
  const escalate = own.routes.flatMap(({ route }) => route.escalate ?? []);
  const wanted = planEscalation(escalate, first).filter(({ channel }) => isWanted(state, channel));
  const steps = whenHeard(wanted, state, isHeld, facts);
  const reminded = remindedOf(own, first, context);
  const reminders = reminded === null ? null : planReminders(notificationIdOf(state.event.id), reminded, first, now);
  const notes = notesOf(own, { steps, reminded, first }, facts, now);
  if (notes.length === 0) return state;
  const reminder = isHeld ? [] : whenHeard(reminders?.plan ?? [], state, false, facts);
  const plan = [...state.plan, ...steps, ...reminder];
  const timersToSet = [...state.timersToSet, ...(reminders === null ? [] : [reminders.timer])];
  return addVerdict({ ...state, plan, timersToSet }, 'schedule', 'change', notes.join('; '));
};

// Stage 9: what follows the first sends while nobody has dealt with it: escalation and reminders.
import type { Only } from '../model/delivery.ts';
import { notificationIdOf } from '../model/ids.ts';
import { durationSetting } from '../model/quantities.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import { type FirstSend, planEscalation } from './escalation.ts';
import { addVerdict, type PipelineState, type Stage, type StageContext } from './pipeline-state.ts';
import { planReminders, type Reminded } from './remind.ts';
import { isWanted } from './route.ts';

/** The state without what joins a group: its steps follow the group's own first send. */
function alone(state: PipelineState): PipelineState {
  const { joins } = state;
  const given = new Set([...joins.values()].flatMap(({ routes }) => routes));
  const plan = state.plan.filter(({ channel }) => !joins.has(channel));
  return { ...state, plan, routes: state.routes.filter((matched) => !given.has(matched)) };
}

/** What the first sends decide for what follows; null where there are none. */
function firstOf({ plan, routes, event }: PipelineState): FirstSend | null {
  if (plan.length === 0) return null;
  const conditions = new Set(routes.map(({ route }): Only => (event.urgency === 'urgent' ? 'always' : route.when)));
  const [only = 'always'] = conditions;
  return { due: Math.min(...plan.map(({ due }) => due)), revision: 1, only: conditions.size > 1 ? 'always' : only };
}

/** The channels of the first sends that people look at, to be reminded there; null: no route says so. */
function remindedOf({ plan, routes }: PipelineState, first: FirstSend, { facts }: StageContext): Reminded | null {
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

function notesOf(state: PipelineState, steps: readonly PlannedDelivery[], reminded: Reminded | null, now: number) {
  const delayed = state.plan.filter(({ due }) => due > now);
  const away = state.plan.filter(({ only }) => only !== 'always');
  return [
    ...(delayed.length > 0 ? [`${words(delayed, now)}, if it is still open`] : []),
    ...away.map(({ channel, only }) => `${channel} only while you are ${only}`),
    ...(steps.length > 0 ? [`unless acknowledged: ${words(steps, now)}`] : []),
    ...(reminded === null ? [] : [`a reminder every ${durationSetting(reminded.repeat)} until acknowledged`]),
  ];
}

/** Plans the steps of the routes that match, and the first reminder. */
export const schedule: Stage = (state, context) => {
  const { now } = context;
  const own = alone(state);
  const first = firstOf(own);
  if (first === null) return state;
  const escalate = own.routes.flatMap(({ route }) => route.escalate ?? []);
  const steps = planEscalation(escalate, first).filter(({ channel }) => isWanted(state, channel));
  const reminded = remindedOf(own, first, context);
  const reminders = reminded === null ? null : planReminders(notificationIdOf(state.event.id), reminded, first, now);
  const notes = notesOf(own, steps, reminded, now);
  if (notes.length === 0) return state;
  const plan = [...state.plan, ...steps, ...(reminders?.plan ?? [])];
  const timersToSet = [...state.timersToSet, ...(reminders === null ? [] : [reminders.timer])];
  return addVerdict({ ...state, plan, timersToSet }, 'schedule', 'change', notes.join('; '));
};

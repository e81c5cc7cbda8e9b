// What a group or a storm keeps until it is due: how often it goes out, and what follows it.
import type { Escalation } from '../model/route-settings.ts';
import { ONLY, type Only } from '../model/delivery.ts';
import type { Timer } from '../model/verdict.ts';
import type { MatchedRoute } from './timing.ts';

/** Kind of the timers at which a group or a storm goes out. Their ids are the names of what they hold. */
export const GROUP = 'group';

/** Times are ms. */
export interface GroupPlan {
  readonly wait: number;
  readonly every: number;
  readonly only: Only;
  /** Of the routes of what joined last. */
  readonly escalate: readonly Escalation[];
  /** Null: no reminders. */
  readonly repeat: number | null;
}

/** A first send that goes out together with others. */
export interface Join {
  /** What holds it until then: the thread key of the group's notification. */
  readonly hold: string;
  readonly plan: GroupPlan;
  /** The routes whose further steps the group takes over. */
  readonly routes: readonly MatchedRoute[];
}

/** `pending`: something is held until then; else it only says when the next may go out at the earliest. */
export function groupTimer(hold: string, due: number, pending: boolean, plan: GroupPlan): Timer {
  return { id: hold, kind: GROUP, due, data: { pending, ...plan } };
}

/** For a group that lost its timer; its plan is made up when it is due. */
export const lostGroupTimer = (hold: string, due: number): Timer => ({ id: hold, kind: GROUP, due, data: {} });

/** What a timer of kind GROUP keeps; null: it is damaged. */
export function groupPlanOf({ data }: Timer): (GroupPlan & { readonly pending: boolean }) | null {
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

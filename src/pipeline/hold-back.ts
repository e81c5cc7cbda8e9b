// Holding back: first sends that wait for the end of quiet hours or of a mute, where a digest takes their place.
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import { NOTIFICATION_LIFETIME } from '../model/notification.ts';
import { digestTimer } from './digest-timer.ts';
import type { PipelineState } from './pipeline-state.ts';

/** What holds a delivery; `until`: Unix ms, null: until somebody ends it. */
export interface Hold {
  readonly by: string;
  readonly until: number | null;
}

/** A hold that nobody ends, ms: after it the digest comes all the same. */
export const LONGEST_HOLD = 30 * NOTIFICATION_LIFETIME;

/** The state with what is held, and where. */
export interface HeldBack {
  readonly next: PipelineState;
  readonly channels: readonly string[];
  /** No first send is left. */
  readonly whole: boolean;
}

/** Holds back the first sends of which `holdOf` says so; null: none. What follows them is planned after that. `now`: Unix ms. */
export function holdBack(
  state: PipelineState,
  holdOf: (planned: PlannedDelivery) => Hold | null,
  now: number,
): HeldBack | null {
  const holds = new Map<string, number>();
  const plan = state.plan.map((planned): PlannedDelivery => {
    const hold = planned.heldBy === undefined ? holdOf(planned) : null;
    if (hold === null) return planned;
    const due = hold.until ?? now + LONGEST_HOLD;
    holds.set(hold.by, Math.max(due, holds.get(hold.by) ?? 0));
    return { ...planned, due, heldBy: hold.by, unheldDue: planned.due };
  });
  if (holds.size === 0) return null;
  const held = plan.filter(({ heldBy }) => heldBy !== undefined);
  const timers = [...holds].map(([by, due]) => digestTimer(by, due));
  return {
    next: { ...state, plan, timersToSet: [...state.timersToSet, ...timers] },
    channels: [...new Set(held.map(({ channel }) => channel))],
    whole: held.length === plan.length,
  };
}

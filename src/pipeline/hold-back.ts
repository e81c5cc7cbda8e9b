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

/** The state with what is held, and where; null: nothing is. */
export interface HeldBack {
  readonly next: PipelineState;
  readonly channels: readonly string[];
  /** No first send is left. */
  readonly whole: boolean;
}

/**
 * Holds back the first sends of which `holdOf` says so. Nothing follows on a channel where the first is held, and nothing at all where
 * all of them are: nobody has been notified yet. `now`: Unix ms.
 */
export function holdBack(
  state: PipelineState,
  holdOf: (planned: PlannedDelivery) => Hold | null,
  now: number,
): HeldBack | null {
  const holds = new Map<string, number>();
  const first = state.plan
    .filter(({ step }) => step === 0)
    .map((planned): PlannedDelivery => {
      const hold = planned.heldBy === undefined ? holdOf(planned) : null;
      if (hold === null) return planned;
      const due = hold.until ?? now + LONGEST_HOLD;
      holds.set(hold.by, Math.max(due, holds.get(hold.by) ?? 0));
      return { ...planned, due, heldBy: hold.by };
    });
  const isHeld = ({ heldBy }: PlannedDelivery): boolean => heldBy !== undefined;
  const dropped = state.plan.filter((planned) => planned.step > 0 && holdOf(planned) !== null);
  if (holds.size === 0 && dropped.length === 0) return null;
  const channels = [...new Set([...first.filter(isHeld), ...dropped].map(({ channel }) => channel))];
  const whole = first.every(isHeld);
  const later = whole ? [] : state.plan.filter(({ step, channel }) => step > 0 && !channels.includes(channel));
  const timers = [...holds].map(([by, due]) => digestTimer(by, due));
  const reminders = whole ? state.timersToSet.filter(({ kind }) => kind !== 'remind') : state.timersToSet;
  const next = { ...state, plan: [...first, ...later], timersToSet: [...reminders, ...timers] };
  return { next, channels, whole };
}

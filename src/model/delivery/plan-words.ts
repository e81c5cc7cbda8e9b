// What is planned of a notification, in words: when each step is due, and under which condition it goes out.
import { clockTime } from '../time/clock-time.ts';
import type { Delivery, PlannedDelivery } from './delivery.ts';
import { isGroupHold } from './holds.ts';
import { formatDuration } from '../quantities.ts';
import { iso } from '../row-json.ts';

const UNLESS = {
  none: '',
  resolved: ', if it is still open',
  acknowledged: ', unless acknowledged or resolved',
} as const;

const ONLY = {
  always: '',
  away: ', only while you are away from that session',
  idle: ', only while you are idle',
} as const;

/** ", unless acknowledged or resolved, only while you are idle"; empty: it goes out whatever happens. */
export function conditionWords({ unless, only }: Pick<Delivery, 'unless' | 'only'>): string {
  return `${UNLESS[unless]}${ONLY[only]}`;
}

/** What a hold is, for people. */
const holdWords = (heldBy: string): string => (heldBy.startsWith('mute:') ? 'a mute' : 'quiet hours');

/** "at once", "in 2 min, at 2026-11-22 12:02:00, unless acknowledged or resolved". `now`: Unix ms. */
export function plannedWords(planned: PlannedDelivery, now: number): string {
  const { due, heldBy, unless, only, after = 0, afterDigest } = planned;
  if (afterDigest) return `${formatDuration(after)} after the digest${conditionWords({ unless, only })}`;
  if (heldBy !== undefined && isGroupHold(heldBy))
    return `in ${formatDuration(Math.max(0, due - now))}, at ${clockTime(due)}, with its group${conditionWords({ unless, only })}`;
  if (heldBy !== undefined) return `held by ${holdWords(heldBy)}, in a digest at ${clockTime(due)}`;
  // What goes out at once is not taken back any more.
  if (due <= now) return `at once${ONLY[only]}`;
  return `in ${formatDuration(due - now)}, at ${clockTime(due)}${conditionWords({ unless, only })}`;
}

/** The same without its time, for where that is drawn: "held by quiet hours, in a digest", "unless acknowledged or resolved"; empty: whatever happens. */
export function plannedCondition({ due, heldBy, unless, only }: PlannedDelivery, now: number): string {
  const condition = heldBy === undefined && due <= now ? ONLY[only] : conditionWords({ unless, only });
  if (heldBy === undefined) return condition.replace(/^, /, '');
  return isGroupHold(heldBy) ? `with its group${condition}` : `held by ${holdWords(heldBy)}, in a digest`;
}

/** For `--json`; field names are stable. */
export function plannedJson(planned: PlannedDelivery, now: number): Record<string, unknown> {
  const { channel, operation, step, due, unless, only, heldBy = null, reason } = planned;
  const words = plannedWords(planned, now);
  return { channel, operation, step, due: iso(due), unless, only, held_by: heldBy, reason, words };
}

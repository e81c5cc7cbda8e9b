// Quiet hours in a plan: which of its deliveries are held, and until when.
import type { QuietConfig } from '../model/config.ts';
import type { Urgency } from '../model/event.ts';
import type { PlannedDelivery } from '../model/planned-delivery.ts';
import { clockTime } from '../model/clock-time.ts';
import { holdBack } from './hold-back.ts';
import { addVerdict, type Stage } from './pipeline-state.ts';
import { parseQuietRange, type QuietHours, quietHours } from '../model/quiet-hours.ts';

/** Compiled once for each settings file: it remembers the span it is in. */
const compiled = new WeakMap<QuietConfig, QuietHours>();

/** The quiet hours of valid settings. */
export function quietHoursOf(quiet: QuietConfig): QuietHours {
  const known = compiled.get(quiet);
  if (known !== undefined) return known;
  const ranges = quiet.hours.map(parseQuietRange).flatMap((range) => ('fault' in range ? [] : [range]));
  const hours = quietHours(ranges, quiet.zone ?? null);
  compiled.set(quiet, hours);
  return hours;
}

/**
 * Unix ms until which a delivery is held, judged for the time at which it is due; null: it is not. A channel is quiet when the settings
 * name it, and where they name none when people look at it.
 */
export function heldUntil(
  { channel, due }: Pick<PlannedDelivery, 'channel' | 'due'>,
  urgency: Urgency,
  audience: 'people' | 'records',
  quiet: QuietConfig,
): number | null {
  if (quiet.hours.length === 0 || (urgency === 'urgent' && quiet.urgent === 'pass')) return null;
  if (!(quiet.channels?.includes(channel) ?? audience === 'people')) return null;
  const span = quietHoursOf(quiet)(due);
  return span.quiet ? span.until : null;
}

/** What quiet hours hold their deliveries by. */
export const QUIET = 'quiet';

/** Holds back the first sends that are due in quiet hours. */
export const quiet: Stage = (state, { facts, config, now }) => {
  if (config.quiet.hours.length === 0) return state;
  const untilOf = (planned: PlannedDelivery): number | null =>
    heldUntil(planned, state.event.urgency, facts.profiles.get(planned.channel)?.audience ?? 'records', config.quiet);
  const held = holdBack(
    state,
    (planned) => {
      const until = untilOf(planned);
      return until === null ? null : { by: QUIET, until };
    },
    now,
  );
  if (held === null) return addVerdict(state, 'quiet', 'pass', 'not in quiet hours');
  const { next, channels, whole } = held;
  const until = next.plan.find(({ heldBy }) => heldBy === QUIET)?.due ?? now;
  if (whole)
    return addVerdict(next, 'quiet', 'stop', `held by quiet hours until ${clockTime(until)}, then in a digest`);
  return addVerdict(next, 'quiet', 'change', `quiet hours until ${clockTime(until)}: held on ${channels.join(', ')}`);
};

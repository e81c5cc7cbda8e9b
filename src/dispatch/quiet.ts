// Quiet hours as the settings say them: when they hold what goes to a channel, and until when.
import type { QuietConfig } from '../model/settings/config.ts';
import type { Urgency } from '../model/event/event.ts';
import { parseQuietRange, type QuietHours, quietHours } from '../model/time/quiet-hours.ts';

/** Compiled once for each settings file: it remembers the span it is in. */
const compiled = new WeakMap<QuietConfig, QuietHours>();

function hoursOf(quiet: QuietConfig): QuietHours {
  const known = compiled.get(quiet);
  if (known !== undefined) return known;
  const ranges = quiet.hours.map(parseQuietRange).flatMap((range) => ('fault' in range ? [] : [range]));
  const hours = quietHours(ranges, quiet.zone ?? null);
  compiled.set(quiet, hours);
  return hours;
}

/** The end of the quiet hours at a time; null: it is not quiet then. Unix ms. */
export function quietSpan(quiet: QuietConfig, at: number): number | null {
  if (quiet.hours.length === 0) return null;
  const span = hoursOf(quiet)(at);
  return span.quiet ? span.until : null;
}

/** Unix ms until which they hold what goes to a channel that people look at; null: they do not. Where the settings name channels, only those. */
export function quietUntil(
  { channel, urgency }: { readonly channel: string; readonly urgency: Urgency },
  at: number,
  quiet: QuietConfig,
): number | null {
  if (urgency === 'urgent' && quiet.urgent === 'pass') return null;
  return (quiet.channels?.includes(channel) ?? true) ? quietSpan(quiet, at) : null;
}

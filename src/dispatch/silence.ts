// When it is silent: which of the mutes keeps an event from a channel, and whether it is a quiet hour. Urgent events pass unless a mute says all.
import { matchesFolderOrBelow } from '../lib/text/glob.ts';
import { clockTime } from '../model/time/clock-time.ts';
import type { Event, Urgency } from '../model/event/event.ts';
import { MUTE_HOLD } from '../model/delivery/holds.ts';
import type { Silence } from '../model/event/verdict.ts';
import type { QuietConfig } from '../model/settings/config.ts';
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

/** What a mute looks at. */
export type MutedEvent = Pick<Event, 'urgency' | 'sessionId' | 'cwd'>;

/** Whether it keeps this event from some channel at a time, Unix ms. */
export function covers(silence: Silence, event: MutedEvent, home: string, now: number): boolean {
  if (silence.until !== null && silence.until <= now) return false;
  if (event.urgency === 'urgent' && !silence.all) return false;
  if (silence.session !== null && silence.session !== event.sessionId) return false;
  if (silence.cwd !== null && (event.cwd === null || !matchesFolderOrBelow(silence.cwd, event.cwd, home))) return false;
  return true;
}

/**
 * The silence that keeps what is about these events from a channel at a time, Unix ms: of several that keep one the one that ends last, and
 * of those of several events the first to end: by then one of them may be sent. Null: one of them is not muted.
 */
export function mutedBy(
  events: readonly MutedEvent[],
  { channel, due }: { readonly channel: string; readonly due: number },
  silences: readonly Silence[],
  home: string,
): Silence | null {
  const here = silences.filter((s) => s.channel === null || s.channel === channel);
  if (here.length === 0) return null;
  const each = events.map((event) => longest(here.filter((s) => covers(s, event, home, due))));
  const found = each.filter((s) => s !== undefined);
  return found.length < each.length ? null : (byEnd(found)[0] ?? null);
}

const byEnd = (silences: readonly Silence[]): readonly Silence[] =>
  silences.toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));

/** Of several the one that ends last: until then it is to be silent. */
export const longest = (silences: readonly Silence[]): Silence | undefined => byEnd(silences).at(-1);

/** "until 2026-11-21 15:54:12". */
export const muteEnd = (silence: Silence): string =>
  silence.until === null ? 'until you unmute' : `until ${clockTime(silence.until)}`;

/** What holds the deliveries that this silence keeps back. */
export const muteHold = ({ id }: Pick<Silence, 'id'>): string => `${MUTE_HOLD}${id}`;

// Quiet hours: what `[quiet] hours` says, when it is quiet and until when.
import { instantsOf, type ZoneClock, zoneClock } from './zoned-time.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** One entry of `hours`: on these days from `start` to `end`, minutes of the day; an end not after the start is on the next day. */
export interface QuietRange {
  /** 0: Sunday. */
  readonly days: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** What is wrong with an entry, as the end of a sentence. `day`: the word that is no day. */
export interface QuietRangeFault {
  readonly fault: string;
  readonly day?: string;
}

const ENTRY = /^(?:([a-z][a-z, -]{0,80}?)\s+)?(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})$/i;
const LAST_MINUTE = 24 * 60;

/** "22:00-07:00", "sat,sun 00:00-24:00" or "mon-fri 12:00-13:00". */
export function parseQuietRange(text: string): QuietRange | QuietRangeFault {
  const found = ENTRY.exec(text.trim());
  if (!found) return { fault: 'must be hours such as "22:00-07:00" or "sat,sun 00:00-24:00"' };
  const [, named, from = '', to = ''] = found;
  const start = minuteOf(from);
  const end = minuteOf(to);
  if (start === null || start === LAST_MINUTE) return { fault: `"${from}" is no time; write 00:00 to 23:59` };
  if (end === null) return { fault: `"${to}" is no time; write 00:00 to 24:00` };
  if (start === end) return { fault: 'begins and ends at the same time; for the whole day write 00:00-24:00' };
  const days = named === undefined ? DAYS.map((_, i) => i) : daysOf(named);
  return 'fault' in days ? days : { days, start, end };
}

function minuteOf(time: string): number | null {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const minute = hours * 60 + minutes;
  return minutes > 59 || minute > LAST_MINUTE ? null : minute;
}

function daysOf(named: string): readonly number[] | QuietRangeFault {
  const days = new Set<number>();
  for (const part of named.toLowerCase().split(',')) {
    const ends = part.split('-').map((word) => word.trim());
    const unknown = ends.find((word) => !(DAYS as readonly string[]).includes(word));
    if (unknown !== undefined || ends.length > 2)
      return { fault: `"${unknown ?? part.trim()}" is no day`, day: unknown ?? '' };
    const [first = 0, last = first] = ends.map((word) => (DAYS as readonly string[]).indexOf(word));
    for (let i = 0; i <= (last - first + 7) % 7; i++) days.add((first + i) % 7);
  }
  return [...days].sort((a, b) => a - b);
}

/** The days' names, for suggestions. */
export const DAY_NAMES: readonly string[] = DAYS;

/** Whether nothing of the week is left. */
export function coversTheWeek(ranges: readonly QuietRange[]): boolean {
  const week = new Uint8Array(7 * LAST_MINUTE);
  for (const { days, start, end } of ranges)
    for (const day of days) {
      const length = end > start ? end - start : LAST_MINUTE - start + end;
      for (let i = 0; i < length; i++) week[(day * LAST_MINUTE + start + i) % week.length] = 1;
    }
  return week.every((minute) => minute === 1);
}

/** A time without change. Unix ms; `until`: null when it never ends. */
export interface QuietSpan {
  readonly quiet: boolean;
  readonly until: number | null;
}

/** Tells for an instant (Unix ms) whether it is quiet, and until when that stays so. */
export type QuietHours = (at: number) => QuietSpan;

interface Interval {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
const WEEK = 7 * DAY;
/** Days looked ahead: each day of the week, one more for the change of the clocks, and one for which it is asked. */
const AHEAD = 9;

/**
 * Quiet hours on a zone's clock; `zone` null: this machine's. A range lasts from the first time that the clock shows its start to the
 * last time that it shows its end, so an hour that comes twice does not end it twice. Ranges that meet are one.
 */
export function quietHours(ranges: readonly QuietRange[], zone: string | null): QuietHours {
  const clock = zoneClock(zone) ?? zoneClock('UTC');
  if (clock === null || ranges.length === 0) return () => ({ quiet: false, until: null });
  // One computation serves all questions about the day after it.
  let known: { readonly at: number; readonly intervals: readonly Interval[] } | null = null;
  return (at) => {
    if (known === null || at < known.at || at >= known.at + DAY)
      known = { at, intervals: merged(intervalsAround(ranges, clock, at)) };
    return spanAt(known.intervals, at);
  };
}

function spanAt(intervals: readonly Interval[], at: number): QuietSpan {
  const around = intervals.find(({ from, to }) => from <= at && at < to);
  if (around !== undefined) return { quiet: true, until: around.to > at + WEEK ? null : around.to };
  return { quiet: false, until: intervals.find(({ from }) => from > at)?.from ?? null };
}

/** Every occurrence from two days before to some days after. */
function intervalsAround(ranges: readonly QuietRange[], clock: ZoneClock, at: number): readonly Interval[] {
  const today = Math.floor(clock(at) / DAY) * DAY;
  const found: Interval[] = [];
  for (let date = today - 2 * DAY; date <= today + AHEAD * DAY; date += DAY)
    for (const { days, start, end } of ranges) {
      if (!days.includes(new Date(date).getUTCDay())) continue;
      const from = instantsOf(clock, date + start * MINUTE).first;
      const to = instantsOf(clock, date + (end > start ? 0 : DAY) + end * MINUTE).last;
      if (from < to) found.push({ from, to });
    }
  return found;
}

function merged(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((a, b) => a.from - b.from);
  const joined: Interval[] = [];
  for (const next of sorted) {
    const last = joined.at(-1);
    if (last === undefined || next.from > last.to) joined.push(next);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
  }
  return joined;
}

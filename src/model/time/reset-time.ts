// The time at which a client says that its limit is over, read from its words: "resets 4:55pm (UTC)", "try again at 6:09 PM".
import { instantsOf, zoneClock } from './zoned-time.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE = 60_000;
const DAY = 86_400_000;
/** No limit lasts longer, ms: a named day that is further away has just passed. */
const FURTHEST = 40 * DAY;
/** Of one text, in characters. */
const LONGEST = 4_000;

const SAID = new RegExp(
  [
    String.raw`\b(?:resets?|again)(?:\s(?:at|on))?\s`,
    String.raw`(?:(?<month>[a-z]{3})[a-z]{0,6}\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?:(?<year>\d{4}),?\s)?(?:at\s)?)?`,
    String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?:\s?(?<half>[ap])\.?m\b)?`,
    String.raw`(?:\s\((?<zone>[a-z][\w+/-]{0,63})\))?`,
  ].join(''),
  'i',
);

/** Minutes since midnight; null: it is no time of a day. Without minutes it needs its half of the day. */
function minuteOf({ hour, minute, half }: Readonly<Record<string, string | undefined>>): number | null {
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)];
  if (minutes > 59 || (minute === undefined && half === undefined)) return null;
  if (half === undefined) return hours > 23 ? null : hours * 60 + minutes;
  if (hours < 1 || hours > 12) return null;
  return ((hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minutes;
}

/** The days (as `zoneClock` shows them) that may be meant: the named one of this year or the next, or without a name today and those after it. */
function daysOf({ month, day, year }: Readonly<Record<string, string | undefined>>, today: number): readonly number[] {
  if (month === undefined) return [today, today + DAY, today + 2 * DAY];
  const thisYear = new Date(today).getUTCFullYear();
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)];
  const index = MONTHS.indexOf(month.toLowerCase());
  const dates = years.map((one) => Date.UTC(one, index, Number(day)));
  return dates.filter((date) => index >= 0 && new Date(date).getUTCDate() === Number(day));
}

/**
 * Unix ms, to the minute; null: it names none, or none that is known. `at`: when it was said, Unix ms; the next such time after it is meant,
 * or the minute that it was said in. Of a time that clocks show twice in a night the later one: too early, a session would only be stopped
 * again. `zone`: of the client, for words that name none; null: this machine's.
 */
export function resetTimeIn(text: string, at: number, zone: string | null): number | null {
  const said = SAID.exec(text.slice(0, LONGEST))?.groups;
  const minute = said === undefined ? null : minuteOf(said);
  const clock = zoneClock(said?.['zone'] ?? zone);
  if (said === undefined || minute === null || clock === null) return null;
  const from = at - (at % MINUTE);
  for (const day of daysOf(said, Math.floor(clock(from) / DAY) * DAY)) {
    const { again } = instantsOf(clock, day + minute * MINUTE);
    if (again >= from) return again - from > FURTHEST ? null : again;
  }
  return null;
}

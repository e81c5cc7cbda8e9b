// A time as people name it: "23:30", "sat 03:00" or an ISO time.
import { DAY_NAMES } from './quiet-hours.ts';
import { instantsOf, type ZoneClock, zoneClock } from './zoned-time.ts';

const NAMED = /^(?:([a-z]{3})\s+)?(\d{1,2}):(\d{2})$/i;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const DAY = 86_400_000;
const MINUTE = 60_000;

/** The next time of that name after `now`, Unix ms, by this machine's clock; null: it is none. An ISO time may be past. */
export function timeNamed(text: string, now: number, zone: string | null = null): number | null {
  const given = text.trim();
  if (ISO.test(given)) {
    const at = Date.parse(given.replace(' ', 'T'));
    return Number.isNaN(at) ? null : at;
  }
  const [, day, hours, minutes] = NAMED.exec(given) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  const weekday = day === undefined ? null : DAY_NAMES.indexOf(day.toLowerCase());
  const clock = zoneClock(zone);
  if (hours === undefined || Number(minutes) > 59 || minute >= 24 * 60 || weekday === -1 || clock === null) return null;
  return next(clock, minute, weekday, now);
}

function next(clock: ZoneClock, minute: number, weekday: number | null, now: number): number | null {
  const today = Math.floor(clock(now) / DAY) * DAY;
  for (let date = today; date <= today + 8 * DAY; date += DAY) {
    const at = instantsOf(clock, date + minute * MINUTE).first;
    if (at >= now && (weekday === null || new Date(date).getUTCDay() === weekday)) return at;
  }
  return null;
}

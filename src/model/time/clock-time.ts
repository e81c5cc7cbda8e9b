// Times as lists, verdicts and notes show them to people.

/** `2026-11-21 15:54:12`, in the zone of this machine; `at`: Unix ms. */
export function clockTime(at: number): string {
  const { year, day, time } = partsOf(new Date(at));
  return year === 'NaN' ? '?' : `${year}-${day} ${time}`;
}

/** The same for a narrow list: `15:54:12` of today, `11-20 15:54` of this year, else `2025-11-20 15:54`. Unix ms. */
export function shortTime(at: number, now: number): string {
  const [then, today] = [partsOf(new Date(at)), partsOf(new Date(now))];
  if (then.year === 'NaN') return '?';
  if (then.year !== today.year) return `${then.year}-${then.day} ${then.time.slice(0, 5)}`;
  return then.day === today.day ? then.time : `${then.day} ${then.time.slice(0, 5)}`;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** The same within a sentence: `15:54` of today, `tomorrow 07:00`, `yesterday 23:10`, `Sat 07:00` of less than a week away, else with its date. Unix ms. */
export function dayTime(at: number, now: number): string {
  const { day, hour } = dayAndHour(at, now);
  return day === null ? hour : `${day} ${hour}`;
}

/** The same after a verb: `at 15:54`, `tomorrow at 07:00`, `on Sat at 07:00`. Unix ms. */
export function atDayTime(at: number, now: number): string {
  const { day, hour } = dayAndHour(at, now);
  if (day === null) return `at ${hour}`;
  return `${day === TOMORROW || day === YESTERDAY ? '' : 'on '}${day} at ${hour}`;
}

const TOMORROW = 'tomorrow';
const YESTERDAY = 'yesterday';

/** `day` null: today. */
function dayAndHour(at: number, now: number): { readonly day: string | null; readonly hour: string } {
  const then = new Date(at);
  const { year, day, time } = partsOf(then);
  if (year === 'NaN') return { day: null, hour: '?' };
  const hour = time.slice(0, 5);
  const days = Math.round((midnight(then) - midnight(new Date(now))) / 86_400_000); // a day may have 23 hours
  if (days === 0) return { day: null, hour };
  if (Math.abs(days) === 1) return { day: days > 0 ? TOMORROW : YESTERDAY, hour };
  return { day: Math.abs(days) < 7 ? (WEEKDAYS[then.getDay()] ?? '') : `${year}-${day}`, hour };
}

/** When the day of a time began, in the zone of this machine, Unix ms. */
export const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

function partsOf(date: Date): { readonly year: string; readonly day: string; readonly time: string } {
  const two = (n: number): string => String(n).padStart(2, '0');
  return {
    year: String(date.getFullYear()),
    day: `${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`,
  };
}

// Times in words: how long ago, or until when; the exact one in the reader's own form.

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Such as `4 min`, `3 h 20 min`, `2 d`: short, for a card. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
}

/** Such as `4 minutes ago`, `in 2 hours`, in the reader's language. */
export function relativeTime(at: number, now: number, locale?: string): string {
  const away = at - now;
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, ms] of UNITS) if (Math.abs(away) >= ms) return words.format(Math.trunc(away / ms), unit);
  return Math.abs(away) < 10_000 ? 'just now' : words.format(Math.trunc(away / 1_000), 'second');
}

/** Day and time to the second, 12 or 24 hours as the locale has it. */
export function exactTime(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** Such as `15:42`, or with its day where that is not today: `Tue 15:42`, `3 Nov, 15:42`. */
export function clockTime(at: number, now = Date.now(), locale?: string): string {
  const day = (time: number): string => new Date(time).toDateString();
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  if (day(at) === day(now)) return new Intl.DateTimeFormat(locale, clock).format(at);
  const isNear = Math.abs(at - now) < 6 * 86_400_000;
  const date = isNear ? ({ weekday: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat(locale, { ...date, ...clock }).format(at);
}

// Times in words: how long ago, or until when. Those by the clock are those of the messages (src/model/time/clock-time.ts).

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

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

/** Such as `4 minutes ago`, `in 2 hours`. */
export function relativeTime(at: number, now: number): string {
  const away = at - now;
  for (const [unit, ms] of UNITS) if (Math.abs(away) >= ms) return WORDS.format(Math.trunc(away / ms), unit);
  return Math.abs(away) < 10_000 ? 'just now' : WORDS.format(Math.trunc(away / 1_000), 'second');
}

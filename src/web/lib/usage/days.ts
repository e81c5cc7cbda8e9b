// Days of the usage page: UTC, as the service counts them.

const DAY = 86_400_000;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The last day that the service has figures of. */
export const yesterday = (now: number): string => dayOf(now - DAY);

/** The first of so many days through this one. */
export const firstOf = (days: number, last: string): string => dayOf(Date.parse(last) - (days - 1) * DAY);

/** Most days of one chart: ten years. */
const MAX_DAYS = 3_660;

/** Every day of a range, both ends included; none where it is no range. */
export function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from);
  const count = Math.floor((Date.parse(to) - first) / DAY) + 1;
  return count > 0 && count <= MAX_DAYS ? Array.from({ length: count }, (_, i) => dayOf(first + i * DAY)) : [];
}

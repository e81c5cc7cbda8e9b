// Days of the analytics: UTC, from the beginning of the history to yesterday (section 8 of docs/contributing/service-interface.md).
import type { Problem } from './endpoint.ts';

/** The first day the service has data of. */
export const FIRST_DAY = '2026-01-14';

const DAY_MS = 86_400_000;

/** The UTC day of a time (Unix ms), `YYYY-MM-DD`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The day so many days later (or earlier, negative). */
export const addDays = (day: string, days: number): string => dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

/** The latest day the service has data of. */
export const yesterday = (now: number): string => addDays(dayOf(now), -1);

/** Every day from `start` to `end`, both included. */
export function daysBetween(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Why the service would refuse this range; null: it would not. */
export function refuseRange(input: Readonly<Record<string, unknown>>, now: number): Problem | null {
  const { startDate, endDate } = input;
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return null;
  for (const [field, day] of Object.entries({ startDate, endDate })) {
    if (day < FIRST_DAY) return { field, message: `${day} is before the history begins, at ${FIRST_DAY}` };
    if (day > yesterday(now))
      return { field, message: `${day} has no data yet: the last day is yesterday (UTC), ${yesterday(now)}` };
  }
  return startDate > endDate ? { field: 'startDate', message: `${startDate} is after the end, ${endDate}` } : null;
}

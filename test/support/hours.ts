// Times of day for tests that run by the real clock: the same at whatever hour they run.

/** The local time in so many hours: "08:30". */
export function timeIn(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Quiet hours that begin and end in so many hours. */
export const hoursIn = (from: number, to: number): string => `${timeIn(from)}-${timeIn(to)}`;

/** The whole hour that begins in at most so many hours, and in more than one fewer: "08:00". */
export const hourIn = (hours: number): string => timeIn(hours).replace(/..$/, '00');

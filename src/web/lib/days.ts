// Days of the usage page: UTC, through yesterday, since the service has nothing of today.

const DAY = 86_400_000;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The last day that the service has. */
export const yesterday = (now: number): string => dayOf(now - DAY);

/** The first of so many days through yesterday. */
export const daysAgo = (days: number, now: number): string => dayOf(now - days * DAY);

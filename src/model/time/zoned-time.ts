// Clock times of a time zone and the instants they stand for, daylight saving included. By Intl alone.

/** A zone's clock: for an instant (Unix ms) the clock's reading, as the Unix ms at which a clock in UTC reads the same. */
export type ZoneClock = (at: number) => number;

const FIELDS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** Null: there is no such zone. `zone` null: this machine's. */
export function zoneClock(zone: string | null): ZoneClock | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: zone ?? undefined, calendar: 'iso8601' });
  } catch {
    return null; // a RangeError: the zone's name is not known
  }
  return (at) => {
    const fields: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(at)) fields[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
  };
}

const DAY = 86_400_000;

/** Both instants of a reading, Unix ms: they differ where clocks are set back over it. */
interface Instants {
  /** The first instant at which the clock has reached it. */
  readonly first: number;
  /** The instant from which on the clock never again shows less. */
  readonly last: number;
  /** The last instant at which the clock shows it: before that it may show less again, as where the repeated time begins with it. */
  readonly again: number;
}

/** When the clock shows `reading`. One that is skipped when clocks are set forward stands for the moment of the change. */
export function instantsOf(clock: ZoneClock, reading: number): Instants {
  const offsets = [clock(reading - DAY) - (reading - DAY), clock(reading + DAY) - (reading + DAY)];
  const [early, late] = [reading - Math.max(...offsets), reading - Math.min(...offsets)];
  const isEarly = clock(early) === reading;
  const isLate = clock(late) === reading;
  if (!isEarly && !isLate) {
    const change = firstReaching(clock, reading, early, late);
    return { first: change, last: change, again: change };
  }
  if (!isEarly) return { first: late, last: late, again: late };
  // Where the repeated time begins exactly with the reading, it was reached and never fallen below.
  const repeats = isLate && late > early && clock(late - 1) < reading;
  return { first: early, last: repeats ? late : early, again: isLate ? late : early };
}

/** The first instant between the two at which the clock shows at least `reading`; before it is set forward it shows less. */
function firstReaching(clock: ZoneClock, reading: number, from: number, to: number): number {
  let [before, reached] = [from - 1, to];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (clock(middle) >= reading) reached = middle;
    else before = middle;
  }
  return reached;
}

// `--last 7d`: the days until yesterday, which is the last day the analytics have; of other lists the rows since then.
import { addDays, dayOf, daysBetween, FIRST_DAY, yesterday } from '../../api/contract/days.ts';
import type { Endpoint } from '../../api/contract/endpoint.ts';
import { EXIT, UserError } from '../../model/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Puts the dates of a range such as 7d or 2w into the input; notes when the history is shorter. `now`: Unix ms. */
export function lastDays(range: string, input: Record<string, unknown>, now: number): string | null {
  if (input['startDate'] !== undefined || input['endDate'] !== undefined)
    throw new UserError('--last replaces --start-date and --end-date: give one or the other', EXIT.usage);
  const start = startOf(range, now);
  const endDate = yesterday(now);
  Object.assign(input, { startDate: start < FIRST_DAY ? FIRST_DAY : start, endDate });
  if (start >= FIRST_DAY) return null;
  const days = daysBetween(FIRST_DAY, endDate).length;
  return `the history begins on ${FIRST_DAY}: --last ${range} was shortened to the ${days} days up to ${endDate}`;
}

/** Which rows of a list are of the range. */
export interface Recent {
  /** The rows to keep; one without a time stays, since it may not be older. */
  readonly keep: (rows: readonly unknown[]) => unknown[];
  /** Whether the pages after one with these rows have only older ones, by the order that is specified. */
  readonly over: (rows: readonly unknown[]) => boolean;
}

/** The rows since the first day of the range, today's too. */
export function recentRows(range: string, time: NonNullable<Endpoint['time']>, now: number): Recent {
  const start = Date.parse(`${startOf(range, now)}T00:00:00Z`);
  const older = (row: unknown): boolean => {
    const at = (row as Fields | null)?.[time.field];
    // NaN, of a time that is none, is not older.
    return (typeof at === 'string' ? Date.parse(at) : typeof at === 'number' ? at : Number.NaN) < start;
  };
  return {
    keep: (rows) => rows.filter((row) => !older(row)),
    over: (rows) => time.newestFirst && older(rows.at(-1)),
  };
}

function startOf(range: string, now: number): string {
  const [, amount, unit] = /^([1-9]\d{0,3})([dw])$/.exec(range) ?? [];
  if (amount === undefined)
    throw new UserError('--last must be a number of days or weeks such as 7d or 2w', EXIT.usage);
  return addDays(dayOf(now), -Number(amount) * (unit === 'w' ? 7 : 1));
}

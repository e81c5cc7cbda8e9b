// `--last 7d`: the days until yesterday, which is the last day the analytics have.
import { addDays, FIRST_DAY, yesterday } from '../../api/days.ts';
import { EXIT, UserError } from '../../model/errors.ts';

/** Puts the dates of a range such as 7d or 2w into the input. `now`: Unix ms. */
export function lastDays(range: string, input: Record<string, unknown>, now: number): void {
  if (input['startDate'] !== undefined || input['endDate'] !== undefined)
    throw new UserError('--last stands instead of --start-date and --end-date: give one or the other', EXIT.usage);
  const [, amount, unit] = /^([1-9]\d{0,3})([dw])$/.exec(range) ?? [];
  if (amount === undefined)
    throw new UserError('--last must be a number of days or weeks such as 7d or 2w', EXIT.usage);
  const end = yesterday(now);
  const start = addDays(end, 1 - Number(amount) * (unit === 'w' ? 7 : 1));
  Object.assign(input, { startDate: start < FIRST_DAY ? FIRST_DAY : start, endDate: end });
}

// What the service would have to refuse of a list of credit limits, found before anything is sent.
import { systemClock } from '../../lib/clock.ts';
import { oneLine } from '../../lib/text/text.ts';
import { checkInput } from '../contract/check-input.ts';
import { usageLimits } from '../contract/usage-limits.ts';
import type { Limit } from './limit.ts';

/** A limit and where it came from, for messages: `--user EMAIL`, `FILE:LINE` or `line LINE`. */
export interface PlacedLimit extends Limit {
  readonly at: string;
  readonly written: string;
}

/** Every error with its place, those of users given twice too: that would leave it to chance which limit holds. */
export function limitErrors(placed: readonly PlacedLimit[]): string[] {
  const first = new Map<string, string>();
  return placed.flatMap(({ email, limit, written, at }) => {
    if (Number.isNaN(limit)) return [`${at}: the limit "${oneLine(written)}" is not a number`];
    const checked = checkInput(usageLimits.set, { users: [{ email, limit }] }, systemClock.now());
    if (!checked.ok) {
      const isLimit = checked.problem.field.endsWith('limit');
      const what = isLimit ? `the limit ${written}` : at.startsWith('--user') ? '' : `"${oneLine(email)}"`;
      return [`${at}: ${what ? `${what} ` : ''}${checked.problem.message}`];
    }
    const key = email.toLowerCase();
    const before = first.get(key);
    first.set(key, before ?? at);
    return before === undefined ? [] : [`${at}: ${oneLine(email)} appears twice, first at ${before}`];
  });
}

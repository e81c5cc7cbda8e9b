// What a command was not given: everything at once, with what may stand instead and where to find it.
import type { Endpoint } from '../../api/endpoint.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { flagsOf } from './flags.ts';

/** Where a person finds the value of a field, or what may be given instead. */
const HINTS: Readonly<Record<string, string>> = {
  startDate: 'or --last 7d instead of both dates',
  endDate: 'or --last 7d instead of both dates',
  computerId: '`belfry api computers list` shows the ids',
};

/** Refuses an input that lacks required fields; empty ones are for the contract's own check. */
export function assertGiven(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): void {
  const missing = flagsOf(endpoint).filter(
    ({ field, schema }) => input[field] === undefined && schema._zod.optin !== 'optional',
  );
  if (missing.length === 0) return;
  const hints = [...new Set(missing.flatMap(({ field }) => HINTS[field] ?? []))];
  const flags = missing.map(({ flag }) => flag);
  const names = flags.length < 2 ? flags.join() : `${flags.slice(0, -1).join(', ')} and ${flags.at(-1)}`;
  const hint = hints.length > 0 ? ` (${hints.join('; ')})` : '';
  throw new UserError(`${names}: missing${hint}; nothing was sent`, EXIT.usage);
}

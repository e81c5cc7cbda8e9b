// `--limit` of the lists.
import { EXIT, UserError } from '../../model/errors.ts';

/** Most rows of one list; `--since` and the other filters find what is further back. */
const MAX_ROWS = 10_000;

/** The number given, or a refusal. */
export function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_ROWS) return limit;
  throw new UserError(`--limit must be a whole number from 1 to ${MAX_ROWS}`, EXIT.usage);
}

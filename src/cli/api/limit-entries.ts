// Who gets which credit limit: from EMAIL=LIMIT options and a file, checked as a whole before anything is sent.
import { checkInput } from '../../api/check.ts';
import { usageLimits } from '../../api/usage-limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { oneLine } from '../../lib/text.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { type Limit, toNumber } from './limit.ts';
import { nameOf, parseLimits, readLimitsFile } from './limits-file.ts';

/** A limit and where it came from, for messages: `--user EMAIL` or `FILE:LINE`. */
interface Placed extends Limit {
  readonly at: string;
  readonly written: string;
}

const refused = (why: string): UserError => new UserError(`${why}; nothing was sent`, EXIT.usage);

/** `EMAIL=LIMIT`; an e-mail address may have a `=` of its own. */
export function fromOption(given: string): Placed {
  const cut = given.lastIndexOf('=');
  const written = given.slice(cut + 1).trim();
  const email = given.slice(0, cut).trim();
  if (cut < 1 || Number.isNaN(toNumber(written)))
    throw refused(`--user must be EMAIL=LIMIT such as ada@example.com=500, not "${oneLine(given)}"`);
  return { email, limit: toNumber(written), written, at: `--user ${oneLine(email)}` };
}

/** The limits of options and file. `note`: gets a line for each error when there are several. */
export async function gatherLimits(
  users: readonly Placed[],
  from: string | undefined,
  note: (text: string) => void,
): Promise<Limit[]> {
  const { found, errors } = from === undefined ? NOTHING : parseLimits(await readLimitsFile(from));
  const name = nameOf(from ?? '');
  const placed = [...users, ...found.map((one) => ({ ...one, at: `${name}:${one.line}` }))];
  const wrong = [...errors.map(({ line, what }) => `${name}:${line}: ${what}`), ...errorsOf(placed)];
  if (wrong.length === 1) throw refused(wrong[0] ?? '');
  if (wrong.length > 1) {
    for (const one of wrong) note(one);
    throw refused(`${wrong.length} entries are invalid (listed above): correct them first`);
  }
  if (placed.length === 0) throw refused(from === undefined ? NO_USER : `${name} has no entries`);
  return placed.map(({ email, limit }) => ({ email, limit }));
}

const NO_USER = 'no user given: use --user EMAIL=LIMIT, --from FILE.csv, --from FILE.json or --from -';
const NOTHING = { found: [], errors: [] } as const;

/** What the service would have to refuse, and users given twice: that would leave it to chance which limit holds. */
function errorsOf(placed: readonly Placed[]): string[] {
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

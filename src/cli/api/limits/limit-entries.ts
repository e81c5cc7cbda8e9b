// Who gets which credit limit: from EMAIL=LIMIT options and a file, checked as a whole before anything is sent.
import { type Limit, toNumber } from '../../../api/limits/limit.ts';
import { limitErrors, type PlacedLimit } from '../../../api/limits/limit-errors.ts';
import { parseLimits } from '../../../api/limits/parse-limits.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { open } from 'node:fs/promises';

const refused = (why: string): UserError => new UserError(`${why}; nothing was sent`, EXIT.usage);

/** `EMAIL=LIMIT`; an e-mail address may have a `=` of its own. */
export function fromOption(given: string): PlacedLimit {
  const cut = given.lastIndexOf('=');
  const written = given.slice(cut + 1).trim();
  const email = given.slice(0, cut).trim();
  if (cut < 1 || Number.isNaN(toNumber(written)))
    throw refused(`--user must be EMAIL=LIMIT such as ada@example.com=500, not "${oneLine(given)}"`);
  return { email, limit: toNumber(written), written, at: `--user ${oneLine(email)}` };
}

/** The limits of options and file. `note`: gets a line for each error when there are several. */
export async function gatherLimits(
  users: readonly PlacedLimit[],
  from: string | undefined,
  note: (text: string) => void,
): Promise<Limit[]> {
  const { found, errors } = from === undefined ? NOTHING : parseLimits(await readLimitsFile(from));
  const name = nameOf(from ?? '');
  const placed = [...users, ...found.map((one) => ({ ...one, at: `${name}:${one.line}` }))];
  const wrong = [...errors.map(({ line, what }) => `${name}:${line}: ${what}`), ...limitErrors(placed)];
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

const MOST_BYTES = 20_000_000;

/** The text of a file, or of standard input where it is `-`. */
async function readLimitsFile(path: string): Promise<string> {
  const refused = (why: string): UserError => new UserError(`--from: ${why}; nothing was sent`, EXIT.usage);
  const name = nameOf(path);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const file = path === '-' ? null : await open(path, 'r');
    for await (const chunk of file ? file.createReadStream() : process.stdin) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      bytes += chunks.at(-1)?.length ?? 0;
      if (bytes > MOST_BYTES) throw refused(`${name} is larger than ${MOST_BYTES / 1_000_000} MB`);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refused(
      `cannot read ${name} (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
    );
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** What a person calls it. */
const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

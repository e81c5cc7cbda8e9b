// Who gets which credit limit, from a CSV or JSON file or standard input: every error at once, with its line.
import { open } from 'node:fs/promises';
import { EXIT, UserError } from '../../model/errors.ts';
import { csvRecords } from './csv-records.ts';
import { jsonLimits } from './json-limits.ts';
import { type Contents, toNumber } from './limit.ts';

const MOST_BYTES = 20_000_000;

/** The text of a file, or of standard input where it is `-`. */
export async function readLimitsFile(path: string): Promise<string> {
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
export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** JSON where the text begins like it, else CSV. */
export const parseLimits = (text: string): Contents => (/^\s*[[{]/.test(text) ? jsonLimits(text) : csvLimits(text));

function csvLimits(text: string): Contents {
  const { records, error } = csvRecords(text);
  const lines = records.filter(({ cells }) => cells.some((one) => one.trim() !== ''));
  const [first] = lines;
  const header = first?.cells.map((one) => one.trim().toLowerCase()) ?? [];
  const emailAt = header.findIndex((name) => name === 'email' || name === 'e-mail');
  const named = emailAt >= 0;
  const limitAt = named ? header.indexOf('limit') : 1;
  if (limitAt < 0) return { found: [], errors: [{ line: first?.line ?? 1, what: 'the header has no column "limit"' }] };
  const found = (named ? lines.slice(1) : lines).map(({ line, cells }) => {
    const written = (cells[limitAt] ?? '').trim();
    return { line, written, email: (cells[named ? emailAt : 0] ?? '').trim(), limit: toNumber(written) };
  });
  return { found, errors: error ? [error] : [] };
}

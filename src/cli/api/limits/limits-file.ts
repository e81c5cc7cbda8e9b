// The text of a file of credit limits, or of standard input.
import { open } from 'node:fs/promises';
import { EXIT, UserError } from '../../../model/errors.ts';

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

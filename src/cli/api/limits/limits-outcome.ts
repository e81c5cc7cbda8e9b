// The outcome of setting credit limits: the failed ones as lines a person can read, and as a file to correct and send again.
import { open, type FileHandle } from 'node:fs/promises';
import { oneLine } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { toCsv } from '../output/csv.ts';
import type { Limit } from '../../../api/limits/limit.ts';
import { columnsOf } from '../../output/text-width.ts';
import { noteFault } from '../../report-error.ts';

/** An entry the service did not set, or that was not sent. */
export interface Failed extends Limit {
  readonly error: string;
}

/** More of them are a list, not a sentence. */
const FEW = 3;

/** The file of `--failed-to`, opened before anything is sent: afterwards it would be too late to say that it cannot be. */
export async function openFailedFile(path: string): Promise<FileHandle> {
  return open(path, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`--failed-to: cannot write ${path} (${error.code ?? 'unknown'}); nothing was sent`, EXIT.usage);
  });
}

/** The failed entries as `--from` reads them; only a header where none failed. */
export async function writeFailed(file: FileHandle, failed: readonly Failed[]): Promise<void> {
  await file.writeFile(
    `${toCsv(
      failed.map(({ email, limit, error }) => ({ email, limit, error })),
      HEADER,
    )}\n`,
  );
}

const HEADER = ['email', 'limit', 'error'] as const;

/** Reports which entries failed, on standard error: few in one sentence, more as a table. */
export function noteFailed(io: Io, failed: readonly Failed[], all: number, path: string | undefined): void {
  if (failed.length === 0) return;
  const few = failed.length <= FEW;
  if (!few && !io.json) {
    const width = (of: (one: Failed) => string): number =>
      failed.reduce((most, one) => Math.max(most, columnsOf(of(one))), 0);
    const emails = width(({ email }) => oneLine(email));
    const limits = width(({ limit }) => shown(limit));
    for (const one of failed) {
      const email = oneLine(one.email);
      const pad = ' '.repeat(emails - columnsOf(email));
      io.note(`${email}${pad}  ${shown(one.limit).padStart(limits)}  ${oneLine(one.error)}`);
    }
  }
  const listed = failed.map(({ email, error }) => `${oneLine(email)} (${oneLine(error)})`).join(', ');
  const where = path === undefined ? (few ? '' : '; --failed-to FILE.csv writes them to a file') : `; see ${path}`;
  noteFault(
    io,
    `${failed.length} of ${all} entries failed${where}; correct them and send them again${few ? `: ${listed}` : ''}`,
  );
}

/** NaN: the service named a user that was not sent. */
const shown = (limit: number): string => (Number.isNaN(limit) ? '–' : String(limit));

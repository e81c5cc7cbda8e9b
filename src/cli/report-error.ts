// Reports what went wrong: one line for a person, after the command's whole name, and the exit code.
import { DISK_FULL, isDiskFull } from '../lib/files/disk-full.ts';
import { EXIT, type ExitCode, UserError } from '../model/errors.ts';
import type { Io } from './io.ts';
import { errorMessage } from '../lib/text/error-message.ts';

/** A line to standard error: "belfry channel test: ...". */
export const noteFault = (io: Pick<Io, 'name' | 'note'>, text: string): void => io.note(`${io.name}: ${text}`);

/** Prints the error that ended a command; anything but a UserError is a bug in Belfry. */
export function reportError(error: unknown, io: Io): ExitCode {
  if (error instanceof UserError) {
    noteFault(io, error.message);
    return error.exit;
  }
  const text = errorMessage(error);
  noteFault(io, isDiskFull(text) ? DISK_FULL : `unexpected error: ${text.split('\n')[0]} (BELFRY_DEBUG=1 shows where)`);
  if (io.env['BELFRY_DEBUG'] && error instanceof Error) io.note(error.stack ?? '');
  return EXIT.other;
}

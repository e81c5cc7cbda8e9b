// Reports the error that ended a command: one line for a person, and the exit code.
import { EXIT, type ExitCode, UserError } from '../model/errors.ts';
import type { Io } from './io.ts';
import { errorMessage } from '../lib/text/error-message.ts';

/** Prints it on standard error; anything but a UserError is a bug in Belfry. */
export function reportError(error: unknown, command: string, io: Io): ExitCode {
  if (error instanceof UserError) {
    io.note(`belfry ${command}: ${error.message}`);
    return error.exit;
  }
  const text = errorMessage(error);
  io.note(`belfry ${command}: unexpected error: ${text.split('\n')[0]} (BELFRY_DEBUG=1 shows where)`);
  if (io.env['BELFRY_DEBUG'] && error instanceof Error) io.note(error.stack ?? '');
  return EXIT.other;
}

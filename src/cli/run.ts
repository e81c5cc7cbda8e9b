// Runs one command: its options by commander, its troubles as one line and an exit code.
import type { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode, UserError } from '../model/errors.ts';
import type { Entry } from './entry.ts';
import { processIo } from './io.ts';

/** Runs `belfry NAME ARGS` to its end; the exit code comes out. */
export async function runEntry(entry: Entry, given: readonly string[]): Promise<ExitCode> {
  const { args, json } = withoutJson(given);
  const io = processIo(json);
  let command: Command | undefined;
  try {
    if (entry.bare && args.length === 0) {
      const { act } = await entry.bare();
      await act(io);
      return io.exit;
    }
    const [{ Command }, { define }] = await Promise.all([import('commander'), entry.load()]);
    command = new Command(`belfry ${entry.name}`)
      .description(entry.summary)
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({ writeErr: () => undefined })
      .option('--json', 'machine output, stable field names');
    define(command, io);
    await command.parseAsync(args, { from: 'user' });
    return io.exit;
  } catch (error) {
    if (error instanceof UserError) {
      io.note(`belfry ${entry.name}: ${error.message}`);
      return error.exit;
    }
    if (isUsageError(error)) {
      if (error.exitCode === 0) return EXIT.ok;
      const { usageFault } = await import('./usage-fault.ts');
      io.note(`belfry ${entry.name}: ${command ? usageFault(error, command, args) : error.message}`);
      return EXIT.usage;
    }
    const text = error instanceof Error ? error.message : String(error);
    io.note(`belfry ${entry.name}: unexpected trouble: ${text.split('\n')[0]} (set BELFRY_DEBUG=1 to see where)`);
    if (io.env['BELFRY_DEBUG'] && error instanceof Error) io.note(error.stack ?? '');
    return EXIT.other;
  }
}

/** `--json` counts wherever it stands before `--`, for subcommands too. */
function withoutJson(given: readonly string[]): { args: string[]; json: boolean } {
  const end = given.indexOf('--');
  const options = end < 0 ? given : given.slice(0, end);
  const rest = end < 0 ? [] : given.slice(end);
  return { args: [...options.filter((arg) => arg !== '--json'), ...rest], json: options.includes('--json') };
}

function isUsageError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

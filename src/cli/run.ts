// Runs one command: its options by commander, its errors as one line and an exit code.
import type { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../model/errors.ts';
import { processIo } from './io.ts';
import { COMMANDS } from './commands.ts';
import { examplesText } from './examples.ts';
import { reportError } from './report-error.ts';

/** Descriptions of options are wrapped to no fewer columns than these. */
const NARROWEST = 20;

/** Runs `belfry NAME ARGS`, a command of the table, to its end; the exit code comes out. */
export async function runCommand(name: string, given: readonly string[]): Promise<ExitCode> {
  const { args, json } = withoutJson(given);
  const io = processIo(json);
  let command: Command | undefined;
  try {
    const entry = COMMANDS.find((candidate) => candidate.name === name);
    if (!entry) throw new Error('it is not in the table of commands');
    const [{ Command }, { define }] = await Promise.all([import('commander'), entry.load()]);
    command = new Command(`belfry ${name}`)
      .description(entry.summary)
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({ writeErr: () => undefined })
      .configureHelp({ minWidthToWrap: NARROWEST })
      .option('--json', 'machine output, stable field names');
    define(command, io, COMMANDS);
    addExamples(command, name);
    await command.parseAsync(args, { from: 'user' });
    return io.exit;
  } catch (error) {
    if (isUsageError(error)) {
      if (error.exitCode === 0) return EXIT.ok;
      const { groupAlone, usageError } = await import('./usage-error.ts');
      const group = command && !json ? groupAlone(error, command, args) : null;
      if (group) group.outputHelp();
      else io.note(`belfry ${name}: ${command ? usageError(error, command, args) : error.message}`);
      return EXIT.usage;
    }
    return reportError(error, name, io);
  }
}

/** Examples at the end of the help of a command and of everything below it. */
function addExamples(command: Command, words: string): void {
  command.addHelpText('after', () => {
    const [value = ''] = command.args;
    const isListed = command.registeredArguments[0]?.argChoices?.includes(value) === true;
    return examplesText(words, isListed ? value : undefined);
  });
  for (const below of command.commands) addExamples(below, `${words} ${below.name()}`);
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

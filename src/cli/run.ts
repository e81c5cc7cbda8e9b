// Runs one command: its options by commander, its errors as one line and an exit code.
import type { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../model/errors.ts';
import { processIo } from './io.ts';
import { COMMANDS } from './commands.ts';
import { examplesText } from './examples.ts';
import { noteFault, reportError } from './report-error.ts';

/** Descriptions of options are wrapped to no fewer columns than these. */
const NARROWEST = 20;

/** Runs `belfry NAME ARGS`, a command of the table, to its end; the exit code comes out. */
export async function runCommand(name: string, given: readonly string[]): Promise<ExitCode> {
  const { args, json } = withoutJson(given);
  const io = processIo(json, `belfry ${name}`);
  let command: Command | undefined;
  try {
    const entry = COMMANDS.find((candidate) => candidate.name === name);
    if (!entry) throw new Error('it is not in the table of commands');
    const [{ JsonCommand }, { define }] = await Promise.all([import('./json-command.ts'), entry.load()]);
    command = new JsonCommand(io.name)
      .description(entry.summary)
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({ writeErr: () => undefined })
      .configureHelp({ minWidthToWrap: NARROWEST });
    define(command, io, COMMANDS);
    command.hook('preAction', (_root, acting) => {
      io.name = nameOf(acting);
    });
    addExamples(command, name);
    await command.parseAsync(args, { from: 'user' });
    return io.exit;
  } catch (error) {
    if (isUsageError(error)) {
      if (error.exitCode === 0) return EXIT.ok;
      const { groupAlone, typedCommand, usageError } = await import('./usage-error.ts');
      const group = command && !json ? groupAlone(error, command, args) : null;
      if (command) io.name = nameOf(typedCommand(command, args));
      if (group) group.outputHelp();
      else noteFault(io, command ? usageError(error, command, args) : error.message);
      return EXIT.usage;
    }
    return reportError(error, io);
  }
}

/** With the names of the commands that it is below: "belfry channel test". */
const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

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

// What is wrong with a command line, in one line that names the help to read.
import type { Command, CommanderError } from 'commander';
import { nearest } from '../lib/text/did-you-mean.ts';
import { commandMeant } from './words-of-others.ts';

/** One line; `root` is the command as parsed, `args` what was typed after its name. */
export function usageError(error: CommanderError, root: Command, args: readonly string[]): string {
  const path = typedPath(root, args);
  const name = path.map((command) => command.name()).join(' ');
  return `${wordsOf(error, path.at(-1) ?? root)}; see \`${name} --help\``;
}

/** The command of a group whose subcommand is missing; null: something else is wrong. */
export function groupAlone(error: CommanderError, root: Command, args: readonly string[]): Command | null {
  return error.code === 'commander.help' ? typedCommand(root, args) : null;
}

/** The lowest command that was typed. */
export const typedCommand = (root: Command, args: readonly string[]): Command => typedPath(root, args).at(-1) ?? root;

/** The command and those below it that were typed. */
function typedPath(root: Command, args: readonly string[]): Command[] {
  const path = [root];
  for (const word of args) {
    const below = path.at(-1)?.commands.find((command) => command.name() === word);
    if (below) path.push(below);
  }
  return path;
}

/** commander's own sentences name flags with their arguments, count, and take two lines. */
function wordsOf(error: CommanderError, command: Command): string {
  const message = error.message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .trim();
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  const flag = /--[\w-]+/.exec(quoted)?.[0] ?? quoted;
  const meant = /\(Did you mean (.+)\?\)/.exec(message)?.[1];
  const near = meant === undefined ? '' : `; did you mean "${meant}"?`;
  switch (error.code) {
    case 'commander.help':
      return `a subcommand is missing: ${command.commands.map((one) => one.name()).join(', ')}`;
    case 'commander.unknownOption':
      return `unknown option ${quoted}${near}`;
    case 'commander.unknownCommand': {
      const names = command.commands.map((one) => one.name());
      return `unknown subcommand "${quoted}"${commandMeant(quoted, names) || near}`;
    }
    case 'commander.missingArgument':
      return `${quoted} is missing${choicesOf(command, quoted)}${apart(command.args.at(-1))}`;
    case 'commander.optionMissingArgument':
      return `${flag} needs a value`;
    case 'commander.missingMandatoryOptionValue':
      return `${flag} is missing`;
    case 'commander.excessArguments':
      return `unexpected argument "${command.args[command.registeredArguments.length] ?? ''}"`;
    case 'commander.invalidArgument': {
      const [, given, known] =
        /'([^']{0,200})' is invalid[^A]{0,60}Allowed choices are (.{1,600})\.$/.exec(message) ?? [];
      if (known === undefined) return message;
      const typo = nearest(given ?? '', known.split(', '));
      return `"${given}" is not one of ${known}${typo === null ? '' : `; did you mean "${typo}"?`}`;
    }
    default:
      return message;
  }
}

/** A name and its value are two words, not one as for git's -c. */
function apart(last: string | undefined): string {
  const name = /^([\w.[\]]+)=/.exec(last ?? '')?.[1]; // what follows may be a secret
  return name === undefined ? '' : `: write a space for the = after ${name}`;
}

/** ": ntfy, slack, ..." for an argument with a fixed list of values. */
function choicesOf(command: Command, name: string): string {
  const choices = command.registeredArguments.find((argument) => argument.name() === name)?.argChoices ?? [];
  return choices.length === 0 ? '' : `: ${choices.join(', ')}`;
}

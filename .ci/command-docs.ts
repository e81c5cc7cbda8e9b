// The table of docs/reference/commands.md, made from the definitions of the commands.
import type { Argument, Command, Option } from 'commander';
import { between, table } from './markdown.ts';
import { type CommandEntry, GROUPS } from '../src/cli/command-entry.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { processIo } from '../src/cli/io.ts';
import { JsonCommand } from '../src/cli/json-command.ts';

const MARKERS = ['<!-- commands: made by `npm run docs` -->', '<!-- end of commands -->'] as const;

/** Commands whose subcommands have a page of their own. */
const ELSEWHERE = ['api'];

/** What every command has. */
const EVERYWHERE = ['--json', '--help'];

async function defined(entry: CommandEntry): Promise<Command> {
  const command = new JsonCommand(entry.name).description(entry.summary);
  (await entry.load()).define(command, processIo(false), COMMANDS);
  return command;
}

/** `--since TIME` of `--since <TIME>`. */
const optionWords = ({ long, short, flags }: Option): string =>
  [long ?? short ?? '', (/[<[].*$/.exec(flags)?.[0] ?? '').replace(/[<>]/g, '')]
    .filter((word) => word !== '')
    .join(' ');

/** `[ID...]` where it may be left out or given several times. */
function argumentWords(argument: Argument): string {
  const words = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? words : `[${words}]`;
}

function rowsOf(command: Command, above: string): string[][] {
  const help = command.createHelp();
  const name = `${above}${command.name()}`;
  const below = ELSEWHERE.includes(name) ? [] : help.visibleCommands(command).filter((sub) => sub.name() !== 'help');
  const options = help.visibleOptions(command).filter(({ long }) => !EVERYWHERE.includes(long ?? ''));
  const rest = below.flatMap((sub) => rowsOf(sub, `${name} `));
  // One that has options of its own does something by itself.
  if (below.length > 0 && options.length === 0) return rest;
  const usage = [name, ...command.registeredArguments.map(argumentWords)].join(' ');
  const words = options.map((option) => `\`${optionWords(option)}\``).join(', ');
  return [[`\`${usage}\``, command.description(), words], ...rest];
}

/** The page with the table of commands, by their groups, between its markers. */
export async function renderCommandDocs(page: string): Promise<string> {
  const shown = COMMANDS.filter(({ hidden }) => hidden !== true);
  const groups = await Promise.all(
    GROUPS.map(async (group) => {
      const commands = await Promise.all(shown.filter((entry) => entry.group === group).map(defined));
      return [[`**${group}**`, '', ''], ...commands.flatMap((command) => rowsOf(command, ''))];
    }),
  );
  return between(page, MARKERS, table(['command', 'what it does', 'options'], groups.flat()));
}

// What can be typed where, read from the table of commands and their definitions, so that completion never drifts from them.
import { Command } from 'commander';
import { processIo } from '../io.ts';
import type { CommandEntry } from '../entry.ts';

/** One word that can follow, and what it means. */
export interface Word {
  readonly name: string;
  readonly summary: string;
}

/** A command, by its path: `['api', 'sessions']`; `[]` is belfry itself. */
export interface Spot {
  readonly path: readonly string[];
  /** Subcommands, or the values its arguments can have. */
  readonly words: readonly Word[];
  readonly options: readonly Word[];
}

/** Every command and subcommand that is shown to people. */
export async function commandTree(table: readonly CommandEntry[]): Promise<Spot[]> {
  const shown = table.filter((entry) => entry.hidden !== true);
  const io = processIo(false);
  const commands = await Promise.all(
    shown.map(async (entry) => {
      const command = new Command(entry.name).description(entry.summary).option('--json', 'machine output');
      (await entry.load()).define(command, io, table);
      return command;
    }),
  );
  const words = shown.map(({ name, summary }) => ({ name, summary: line(summary) }));
  const options = [
    { name: '--help', summary: 'display help' },
    { name: '--version', summary: 'print the version' },
  ];
  return [{ path: [], words, options }, ...commands.flatMap((command) => spots(command, []))];
}

function spots(command: Command, above: readonly string[]): Spot[] {
  const path = [...above, command.name()];
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((sub) => sub.name() !== 'help');
  const values = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const options = help.visibleOptions(command).flatMap(({ long, short, description }) => {
    const name = long ?? short;
    return name === undefined ? [] : [{ name, summary: line(description) }];
  });
  const words = [
    ...below.map((sub) => ({ name: sub.name(), summary: line(sub.description()) })),
    ...values.map((name) => ({ name, summary: '' })),
  ];
  return [{ path, words, options }, ...below.flatMap((sub) => spots(sub, path))];
}

/** Scripts hold summaries between single quotes on one line; what would end them is left out. */
function line(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/['"`$\\]/g, '’');
}

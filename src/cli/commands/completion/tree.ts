// What can be typed where, read from the table of commands and their definitions, so that completion never drifts from them.
import type { Command } from 'commander';
import { processIo } from '../../io.ts';
import { JsonCommand } from '../../json-command.ts';
import type { CommandEntry } from '../../command-entry.ts';
import { type DynamicValues, type Values, valuesOfArgument, valuesOfOption } from './values.ts';

/** One word that can follow, and what it means. */
export interface Word {
  readonly name: string;
  readonly summary: string;
}

/** An option, and the values that can follow it. */
export interface OptionWord extends Word {
  readonly values: Values | null;
}

/** A command, by its words: `['api', 'sessions']`; `[]` is belfry itself. */
export interface Spot {
  readonly path: readonly string[];
  /** Subcommands, or the values its arguments can have. */
  readonly words: readonly Word[];
  /** Further values that only this machine knows; null: none. */
  readonly dynamic: DynamicValues | null;
  readonly options: readonly OptionWord[];
}

/** Every command and subcommand that is shown to people. */
export async function commandTree(table: readonly CommandEntry[]): Promise<Spot[]> {
  const shown = table.filter((entry) => entry.hidden !== true);
  const io = processIo(false);
  const commands = await Promise.all(
    shown.map(async (entry) => {
      const command = new JsonCommand(entry.name).description(entry.summary);
      (await entry.load()).define(command, io, table);
      return command;
    }),
  );
  const words = shown.map(({ name, summary }) => ({ name, summary: line(summary) }));
  const options = [
    { name: '--help', summary: 'show help', values: null },
    { name: '--version', summary: 'print the version', values: null },
  ];
  return [{ path: [], words, dynamic: null, options }, ...commands.flatMap((command) => spots(command, []))];
}

function spots(command: Command, above: readonly string[]): Spot[] {
  const path = [...above, command.name()];
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((sub) => sub.name() !== 'help');
  const values = command.registeredArguments.map((argument) => valuesOfArgument(argument, path[0] ?? ''));
  const options = help.visibleOptions(command).flatMap((option) => {
    const name = option.long ?? option.short;
    const known = valuesOfOption(option, path[0] ?? '');
    return name === undefined ? [] : [{ name, summary: line(option.description), values: known }];
  });
  const words = [
    ...below.map((sub) => ({ name: sub.name(), summary: line(sub.description()) })),
    ...values.flatMap((one) => (typeof one === 'string' ? [] : (one ?? []))).map((name) => ({ name, summary: '' })),
  ];
  const dynamic = values.find((one) => typeof one === 'string') ?? null;
  return [{ path, words, dynamic, options }, ...below.flatMap((sub) => spots(sub, path))];
}

/** An option's values, for every command that has it; scripts ask by the option alone. */
export function optionValues(spots: readonly Spot[]): Map<string, Values> {
  const found = spots.flatMap(({ path, options }) =>
    options.map(({ name, values }) => [[...path, name].join(' '), values] as const),
  );
  return new Map(found.filter((entry): entry is readonly [string, Values] => entry[1] !== null));
}

/** Scripts hold summaries between single quotes on one line; what would end them is left out. */
function line(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/['"`$\\]/g, '’');
}

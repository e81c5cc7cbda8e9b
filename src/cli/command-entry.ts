// What a command is to the command line: a line in the table, and a definition loaded only when it runs.
import type { Command } from 'commander';
import type { Io } from './io.ts';

/** Adds a command's arguments, options, subcommands and action. The action throws UserError for expected trouble. `commands`: the whole table. */
export type Define = (command: Command, io: Io, commands: readonly CommandEntry[]) => void;

/** The groups of `belfry --help`, in their order. */
export const GROUPS = [
  'Get started',
  'See what happens',
  'Notify',
  'Answer',
  'Settings and help',
  'Daemon',
  'Your organization',
] as const;

/** A line of the table of commands. */
export interface CommandEntry {
  readonly name: string;
  /** One line for `belfry --help`. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
  /** What it does when it is given nothing: in the first file, without the parser, which takes longer to load than a quick answer to make. */
  readonly bare?: (io: Io) => Promise<void>;
  /** Where `--help` lists it. */
  readonly group?: (typeof GROUPS)[number];
  /** Left out of `--help`. */
  readonly hidden?: true;
}

// The contract of a command that does more than call its endpoint once.
import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import type { CallFlags } from '../connect.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a command of the contract does differently, or a command beside it. */
export interface CustomCommand {
  readonly resource: string;
  readonly name: string;
  /** The command is not an endpoint of its own: its summary. */
  readonly extra?: string;
  /** Replaces what follows from the contract. */
  readonly define?: (command: Command, io: Io) => void;
  /** Options beside those of the contract: flag and words. */
  readonly options?: readonly (readonly [string, string])[];
  /** Runs after the endpoint has answered; may give another answer to show. */
  readonly after?: (
    answer: Fields,
    options: Fields & CallFlags & { readonly wait?: unknown },
    io: Io,
  ) => Promise<Fields | undefined>;
}

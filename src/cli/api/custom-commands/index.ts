// Commands that do more than call their endpoint once: each in its own file.
import type { Define } from '../../entry.ts';
import type { Io } from '../../io.ts';
import type { CallFlags } from '../connect.ts';
import { createComputer } from './computer-create.ts';
import { createSession } from './session-create.ts';
import { followSession } from './session-follow.ts';
import { sendMessage } from './message-send.ts';
import { setLimits } from './limits-set.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a command of the contract does differently, or a command beside it. */
export interface CustomCommand {
  readonly resource: string;
  readonly name: string;
  /** The command is not an endpoint of its own: its summary. */
  readonly extra?: string;
  /** Replaces what follows from the contract. */
  readonly define?: Define;
  /** Options beside those of the contract: flag and words. */
  readonly options?: readonly (readonly [string, string])[];
  /** Runs after the endpoint has answered; may give another answer to show. */
  readonly after?: (
    answer: Fields,
    options: Fields & CallFlags & { readonly wait?: unknown },
    io: Io,
  ) => Promise<Fields | undefined>;
}

export const customCommands: readonly CustomCommand[] = [
  createComputer,
  createSession,
  followSession,
  sendMessage,
  setLimits,
];

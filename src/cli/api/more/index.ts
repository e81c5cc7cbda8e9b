// Commands that do more than call their endpoint once: each in its own file.
import type { Define } from '../../entry.ts';
import { createSession } from './session-create.ts';
import { followSession } from './session-follow.ts';
import { sendMessage } from './message-send.ts';
import { setLimits } from './limits-set.ts';

/** What a command of the contract does differently, or a command beside it. */
export interface More {
  readonly resource: string;
  readonly name: string;
  /** The command is not an endpoint of its own: its summary. */
  readonly extra?: string;
  /** Replaces what follows from the contract. */
  readonly define?: Define;
  /** Runs after the endpoint has answered; gets the answer. */
  readonly after?: (answer: Readonly<Record<string, unknown>>) => Promise<void>;
}

export const more: readonly More[] = [createSession, followSession, sendMessage, setLimits];

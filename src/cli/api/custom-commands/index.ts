// Commands that do more than call their endpoint once: each in its own file.
import { createComputer } from './computer-create.ts';
import { createSession } from './session-create.ts';
import { followSession } from './session-follow.ts';
import { sendMessage } from './message-send.ts';
import { setLimits } from './limits-set.ts';
import type { CustomCommand } from './custom-command.ts';

export const customCommands: readonly CustomCommand[] = [
  createComputer,
  createSession,
  followSession,
  sendMessage,
  setLimits,
];

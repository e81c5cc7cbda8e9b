// A command at work: one run of the program for each operation.
import { homedir } from 'node:os';
import { runProgram } from '../../lib/programs/run-program.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { eventDocument } from '../shared/event-document.ts';
import { commandEnvironment } from './environment.ts';
import { inHome } from '../../lib/files/in-home.ts';
import { type CommandCall, commandOutcome } from './outcome.ts';
import type { CommandSettings } from './settings.ts';

/** Runs nothing yet. */
export function openCommand(settings: CommandSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  const perform = (message: OutgoingMessage, { signal: outer, timeoutMs }: SendContext): Promise<Outcome> =>
    running.run(outer, async (signal) => {
      const input = asOutcome(() => JSON.stringify(eventDocument(message)));
      if (typeof input !== 'string') return input;
      const call = callOf(settings, message, tools);
      return commandOutcome(await runProgram({ ...call, input, limit: timeoutMs, signal }), call, timeoutMs);
    });
  return {
    send: perform,
    update: (message, _receipt, context) => perform(message, context),
    retract: (message, _receipt, context) => perform(message, context),
    close: running.close,
  };
}

function callOf(
  { run: [program, ...args], env, cwd }: CommandSettings,
  message: OutgoingMessage,
  tools: ChannelTools,
): CommandCall {
  return {
    program: inHome(program),
    args,
    env: { ...commandEnvironment(tools.env, message), ...env },
    cwd: cwd === undefined ? homedir() : inHome(cwd),
  };
}

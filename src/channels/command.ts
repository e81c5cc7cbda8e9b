// Command: runs a program of your own for each event, without a shell, with the event as JSON on its standard input.
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { runProgram } from '../lib/run-program.ts';
import { type ChannelTools, defineChannel, type OutgoingMessage } from '../model/channel.ts';
import type { Outcome } from '../model/delivery.ts';
import { checkCommand } from './command/check.ts';
import { commandEnvironment } from './command/environment.ts';
import { type CommandCall, commandOutcome } from './command/outcome.ts';
import { asOutcome } from './shared/as-outcome.ts';
import { eventDocument } from './shared/event-document.ts';
import { createOperations } from './shared/operations.ts';

const word = z.string().regex(/^[^\0]*$/, 'must not contain a NUL character');

const schema = z.strictObject({
  run: z
    .tuple([word.min(1)], word)
    .describe(
      'The program and its arguments, as a list. There is no shell: nothing in it is expanded but a leading `~/`.',
    ),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is letters, digits and _'),
      word.meta({ secret: true, literal: true }),
    )
    .default({})
    .describe('More variables; a value may be `"env:NAME"`, `"file:PATH"` or `"secret:NAME"`.'),
  cwd: word.min(1).optional().describe('The folder it runs in; your home folder otherwise.'),
  updates: z
    .boolean()
    .default(false)
    .describe('Also run it for `notification.updated` and `notification.resolved` when a notification changes.'),
});
type Settings = z.output<typeof schema>;

export const command = defineChannel({
  type: 'command',
  schema,
  audience: 'records',
  capabilities: { update: 'updates', retract: 'updates' },
  onResolved: 'update',
  limits: () => ({ concurrency: 4, minIntervalMs: 0, timeoutMs: 30_000 }),
  open: (settings, tools) => {
    const running = createOperations();
    const perform = (message: OutgoingMessage, context: { signal: AbortSignal; timeoutMs: number }): Promise<Outcome> =>
      running.run(context.signal, async (signal) => {
        const input = asOutcome(() => JSON.stringify(eventDocument(message)));
        if (typeof input !== 'string') return input;
        const call = callOf(settings, message, tools);
        return commandOutcome(
          await runProgram({ ...call, input, limit: context.timeoutMs, signal }),
          call,
          context.timeoutMs,
        );
      });
    return {
      send: perform,
      ...(settings.updates
        ? {
            update: (message, _receipt, context) => perform(message, context),
            retract: (message, _receipt, context) => perform(message, context),
          }
        : {}),
      close: running.close,
    };
  },
  check: async (settings, { env }) => [
    checkCommand(
      inHome(settings.run[0]),
      settings.cwd === undefined ? homedir() : inHome(settings.cwd),
      env['PATH'] ?? '',
    ),
  ],
  defaultSettings: null,
  setup: {
    intro: ['A program of your own gets each event as JSON on its standard input.'],
    questions: [
      {
        key: 'run',
        ask: 'Program and arguments, as a list',
        help: 'For example ["~/bin/on-event", "--quiet"]. It is run without a shell.',
      },
    ],
  },
  docs: {
    summary: 'Runs a program with the event as JSON on its standard input',
    example: 'type = "command"\nrun = ["~/bin/on-event", "--quiet"]',
  },
});

function callOf(
  { run: [program, ...args], env, cwd }: Settings,
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

function inHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

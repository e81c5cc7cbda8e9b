// Command: runs a program of your own for each event, without a shell, with the event as JSON on its standard input.
import { homedir } from 'node:os';
import { defineChannel } from '../model/channel/channel.ts';
import { inHome } from '../lib/files/in-home.ts';
import { commandSchema } from './command/settings.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

export const command = defineChannel({
  type: 'command',
  schema: commandSchema,
  audience: 'records',
  runsProgram: true,
  capabilities: { update: 'updates', retract: 'updates' },
  onResolved: 'update',
  limits: () => ({ concurrency: 4, minIntervalMs: 0, timeoutMs: 30_000 }),
  open: (settings, tools) =>
    lazyChannel(
      async () => (await import('./command/open.ts')).openCommand(settings, tools),
      settings.updates ? ['update', 'retract'] : [],
    ),
  check: async ({ run: [program], cwd }, { env }) => {
    const { checkCommand } = await import('./command/check.ts');
    return [checkCommand(inHome(program), cwd === undefined ? homedir() : inHome(cwd), env['PATH'] ?? '')];
  },
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

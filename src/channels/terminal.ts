// Terminal: a bell, the terminal's own notification and a badge in tmux, where the session that waits runs.
import * as z from 'zod';
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';
import { createClientTerminals } from './terminal/client-terminals.ts';

const schema = z
  .strictObject({
    bell: z.boolean().default(true).describe('Ring the bell, except for low urgency.'),
    sequence: z
      .enum(['auto', 'osc9', 'osc777', 'osc99', 'none'])
      .default('auto')
      .describe("The terminal's own notification: `auto` sends only what the terminal is known to support."),
    tmux: z
      .boolean()
      .default(true)
      .describe('In tmux, set the user option `@belfry` on the pane, for a badge in its status line.'),
    by_client: z
      .boolean()
      .default(false)
      .describe(
        "Where Belfry cannot reach the terminal, let the agent's client write to it. The agent must support that, and be installed with `--answer`.",
      ),
  })
  .refine(({ bell, sequence, tmux }) => bell || tmux || sequence !== 'none', 'nothing is left to show');

export const terminal = defineChannel({
  type: 'terminal',
  schema,
  audience: 'people',
  capabilities: { update: true, retract: true, priority: true },
  onResolved: 'remove',
  limits: () => ({ concurrency: 8, minIntervalMs: 0, timeoutMs: 15_000 }),
  open: (settings, tools) =>
    lazyChannel(async () => (await import('./terminal/open.ts')).openTerminal(settings, tools), ['update', 'retract']),
  check: async (settings, tools) => (await import('./terminal/check.ts')).checkTerminal(settings, tools),
  offersToClients: { isWanted: ({ by_client }) => by_client, open: createClientTerminals },
  defaultSettings: null,
  setup: {
    intro: [
      'Shows notifications in the terminal of the session that waits: a bell, what the terminal itself can show,',
      'and a badge in the status line of tmux. docs/channels/terminal.md has the lines for tmux.conf.',
    ],
    questions: [],
    beforeTest: () => ['The test rings here, in this terminal.'],
  },
  docs: {
    summary: "A bell, the terminal's own notification and a badge in tmux, in the terminal of the session that waits",
    example: 'type = "terminal"\nbell = true\nsequence = "auto"\ntmux = true',
  },
});

// Speech: says a short sentence on the machine that the daemon runs on.
import * as z from 'zod';
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

const schema = z.strictObject({
  voice: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+()-]{0,99}$/u, 'must be the name of a voice')
    .optional()
    .describe('The voice, by its name in the system; without it, the usual one.'),
  text: z
    .string()
    .min(1)
    .max(200)
    .refine(
      (text) => !/[{}]/.test(text.replace(/\{(?:title|project|agent)\}/g, '')),
      'fields are {title}, {project} and {agent}',
    )
    .default('{title}')
    .describe('What is said; `{title}`, `{project}` and `{agent}` are replaced. At most 120 characters are spoken.'),
});

export const speech = defineChannel({
  type: 'speech',
  schema,
  audience: 'people',
  audible: true,
  capabilities: {},
  onResolved: 'keep', // what was said was said
  // One speaks and one waits; a third takes the place of that.
  limits: () => ({ concurrency: 3, minIntervalMs: 0, timeoutMs: 30_000 }),
  open: (settings, tools) =>
    lazyChannel(async () => (await import('./speech/open.ts')).openSpeech(settings, tools), []),
  check: async (_settings, tools) => (await import('./speech/check.ts')).checkSpeech(tools),
  defaultSettings: null,
  setup: {
    intro: ['Says a short sentence on the machine that the daemon runs on.'],
    questions: [{ key: 'voice', ask: 'Voice', help: 'Empty: the usual one of the system.', optional: true }],
  },
  docs: {
    summary: 'Says a short sentence on this machine; while it speaks, only the newest waits',
    example: 'type = "speech"\nvoice = "en-gb"\ntext = "{title}"',
  },
});

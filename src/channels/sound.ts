// Sound: a short sound for each urgency, on the machine that the daemon runs on.
import * as z from 'zod';
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

const file = z
  .string()
  .regex(/^(?:~\/|\/|[A-Za-z]:[\\/])[^\0]{1,1000}$/, 'must be a whole path, or begin with ~/')
  .optional();
const schema = z.strictObject({
  files: z
    .strictObject({ low: file, normal: file, urgent: file })
    .prefault({})
    .describe('Your own sounds by urgency, as WAV files; without one, Belfry has a short one of its own.'),
  volume: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('From 0 to 1. `aplay` and Windows keep it for the own sounds only.'),
});

export const sound = defineChannel({
  type: 'sound',
  schema,
  audience: 'people',
  audible: true,
  capabilities: { priority: true },
  onResolved: 'keep', // what was heard was heard
  limits: () => ({ concurrency: 1, minIntervalMs: 0, timeoutMs: 15_000 }),
  open: (settings, tools) => lazyChannel(async () => (await import('./sound/open.ts')).openSound(settings, tools), []),
  check: async (settings, tools) => (await import('./sound/check.ts')).checkSound(settings, tools),
  defaultSettings: null,
  setup: {
    intro: ['Plays a short sound on the machine that the daemon runs on.'],
    questions: [{ key: 'volume', ask: 'Volume, from 0 to 1', suggest: () => '0.5' }],
  },
  docs: {
    summary: 'Plays a short sound for each urgency on this machine, one at a time',
    example: 'type = "sound"\nvolume = 0.5\nfiles = { urgent = "~/sounds/bell.wav" }',
  },
});

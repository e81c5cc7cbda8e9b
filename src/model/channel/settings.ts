// The settings that every channel has, beside its own: interface.md, "Settings of the channels".
import * as z from 'zod';
import { levelSchema } from '../settings/config.ts';
import { onResolvedSchema } from './on-resolved.ts';
import { duration } from '../settings/values.ts';
import { wordingSchema } from '../notification/wording-settings.ts';

const SHORTEST_TIMEOUT = 100;
const LONGEST_TIMEOUT = 120_000;

/** A shape, to extend a channel's own schema with. */
export const commonSettings = {
  level: levelSchema
    .optional()
    .describe('How much text it sends: `full`, `short` (the first line) or `title` (the title only).'),
  allow_private: z
    .boolean()
    .default(false)
    .describe('Whether it may send to private, loopback and link-local addresses.'),
  on_resolved: onResolvedSchema
    .optional()
    .describe(
      'What happens to a message once it is resolved or acknowledged: it is changed to say so, removed, or kept.',
    ),
  timeout: duration
    .refine((ms) => ms >= SHORTEST_TIMEOUT && ms <= LONGEST_TIMEOUT, 'must be from "100ms" to "2m"')
    .optional()
    .describe('Longest time that one send takes.'),
  messages: wordingSchema
    .optional()
    .describe('Wording on this channel: `title` and `body` by kind, as in `[messages]`, which they override.'),
};
export type CommonSettings = z.output<z.ZodObject<typeof commonSettings>>;

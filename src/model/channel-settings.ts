// The settings that every channel has, beside its own: interface.md, "Settings of the channels".
import * as z from 'zod';
import { duration, levelSchema } from './config.ts';

/** What becomes of a message that has become pointless: changed to say so, removed, or left as it is. */
const ON_RESOLVED = ['update', 'remove', 'keep'] as const;
export type OnResolved = (typeof ON_RESOLVED)[number];

const SHORTEST_TIMEOUT = 100;
const LONGEST_TIMEOUT = 120_000;

/** A shape, to extend a channel's own schema with. */
export const commonSettings = {
  level: levelSchema
    .optional()
    .describe('How much text it sends (`full`; `short`: the first line; `title`: the title only).'),
  allow_private: z
    .boolean()
    .default(false)
    .describe('Allow private, loopback and link-local addresses, where it sends to one.'),
  on_resolved: z
    .enum(ON_RESOLVED)
    .optional()
    .describe('What becomes of a message once it is pointless: changed to say so, removed, or left.'),
  timeout: duration
    .refine((ms) => ms >= SHORTEST_TIMEOUT && ms <= LONGEST_TIMEOUT, 'must be from "100ms" to "2m"')
    .optional()
    .describe('Longest time that one send takes.'),
};
export type CommonSettings = z.output<z.ZodObject<typeof commonSettings>>;

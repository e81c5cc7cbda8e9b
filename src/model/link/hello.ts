// POST /hello of the link: what both sides can do, and whether the hub needs something again.
import * as z from 'zod';
import { LEVELS } from '../notification/notification.ts';

/** The versions of the link that this program speaks. */
export const LINK_VERSIONS: readonly number[] = [1];

/** What a laptop does only where the hub names it: beyond version 1 there is nothing yet. */
export const LINK_FEATURES: readonly string[] = [];

/** Who may answer through a hub what agents of this machine ask: nobody, its owner, or whom the hub's rules allow. */
export const HUB_ANSWERS = ['none', 'own', 'team'] as const;

/** What a hub may ask for again: nothing, what is open, or everything since the machine joined. */
export const RESYNCS = ['none', 'open', 'all'] as const;
export type Resync = Exclude<(typeof RESYNCS)[number], 'none'>;

/** Least time between two resyncs of everything that a command asks for, ms. */
export const RESYNC_ALL_EVERY = 24 * 3_600_000;

/** What a laptop begins with. */
export const helloSchema = z.looseObject({
  v: z.array(z.int()).min(1),
  features: z.array(z.string()),
  epoch: z.string().min(1).max(200),
  previous: z.uuid().nullable(),
  /** Unix ms by the laptop's clock. */
  sent_at: z.int(),
  name: z.string().min(1).max(200),
  os: z.string().max(200),
  version: z.string().max(200),
  answer: z.enum(HUB_ANSWERS),
  level: z.enum(LEVELS),
});
export type Hello = z.output<typeof helloSchema>;

/** What belongs to one change, once it is cut, is no more: a hub that takes less is none. */
const LEAST = { facts: 10, bytes: 16_384 } as const;

/** What the hub answers. */
export const helloAnswerSchema = z.looseObject({
  /** The machine's id. */
  machine: z.string(),
  /** The version that is spoken. */
  v: z.int(),
  features: z.array(z.string()).default([]),
  /** Unix ms by the hub's clock. */
  server_time: z.int(),
  /** It may ask for less than the laptop's level, never for more. */
  level_at_most: z.enum(LEVELS).default('full'),
  resync: z.enum(RESYNCS).default('none'),
  /** Of one batch, where they are lower than those of the version. */
  limits: z
    .looseObject({ facts: z.int().min(LEAST.facts).optional(), bytes: z.int().min(LEAST.bytes).optional() })
    .default({}),
});
export type HelloAnswer = z.output<typeof helloAnswerSchema>;

// Mutes: added, listed and ended.
import * as z from 'zod';
import { act, read } from './endpoint.ts';
import { id } from './fields.ts';
import { muteRow } from './rows.ts';

/** Longest mute with an end, ms: a year. */
const LONGEST = 366 * 24 * 3_600_000;

export const mutes = {
  'mutes.list': () =>
    read({
      summary: 'The mutes in force, oldest first',
      result: () => z.object({ mutes: z.array(muteRow()) }),
    }),
  'mutes.add': () =>
    act({
      summary: 'Mutes everything, a session, a folder or a channel',
      body: z.strictObject({
        minutes: z
          .number()
          .positive()
          .max(LONGEST / 60_000)
          .nullable()
          .default(null)
          .meta({ description: 'null: until it is ended' }),
        session: z.string().min(1).nullable().default(null),
        cwd: z.string().min(1).nullable().default(null),
        channel: z.string().min(1).nullable().default(null),
        all: z.boolean().default(false).meta({ description: 'urgent events too' }),
        reason: z.string().max(200).nullable().default(null),
      }),
      result: () => z.object({ id: z.string(), until: z.iso.datetime().nullable(), text: z.string() }),
    }),
  'mutes.end': () =>
    act({
      summary: 'Ends one mute; what it held back comes as a digest',
      params: z.object({ id }),
      result: () => z.object({ removed: z.number() }),
    }),
  'mutes.endAll': () => act({ summary: 'Ends every mute', result: () => z.object({ removed: z.number() }) }),
} as const;

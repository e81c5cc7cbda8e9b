// Where somebody runs a command: the terminal in which a channel of this machine shows what they send.
import * as z from 'zod';
import { placeOf } from '../../model/session/place.ts';

/** For a command's arguments; given as an envelope's origin has it, read as a place. */
export const callerSchema = {
  caller: z
    .object({ env: z.record(z.string(), z.string().max(1_024)), tty: z.string().max(256).optional() })
    .transform(({ env, tty }) => placeOf({ env, ...(tty !== undefined && { tty }) }))
    .nullable()
    .default(null),
};

// `clear`: dead letters are put aside, so that nothing counts them as failed. Their rows and attempts stay until retention takes them.
import * as z from 'zod';
import { type CommandHandler, parseArgs } from './context.ts';

/** `channel`: only those of this one, which need not be in the settings any more. */
const schema = z.object({ dead: z.literal(true), channel: z.string().optional() });

/** The answer; field names are stable. */
export interface Cleared {
  readonly cleared: number;
}

/** Answers with how many there were. */
export const clear: CommandHandler = async (given, { store, clock }): Promise<Cleared> => {
  const { channel } = parseArgs(schema, given);
  const which = channel === undefined ? {} : { channel };
  return { cleared: await store.transition({ ...which, from: ['dead'] }, 'cancelled', clock.now()) };
};

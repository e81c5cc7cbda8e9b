// `wrapped`: `belfry run` has started a client, whose files are to be followed.
import * as z from 'zod';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({ id: z.string().max(100) });

/** Replies at once. */
export const wrapped: CommandHandler = async (given, { answering }) => {
  answering.wrapped(parseArgs(schema, given).id);
  return {};
};

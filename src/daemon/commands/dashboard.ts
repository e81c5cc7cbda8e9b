// `dashboard`: serves the page and lets one browser in.
import * as z from 'zod';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({
  /** Whether a file that leads a browser there is to be written. */
  file: z.boolean().default(false),
});

/** Replies with the address, good once within a minute, and the file that leads there. */
export const dashboard: CommandHandler = async (given, { http }) => {
  const { file } = parseArgs(schema, given);
  return http.openPage(file);
};

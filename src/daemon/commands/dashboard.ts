// `dashboard`: serves the page and lets one browser in. The page may answer agents, so no agent may open it.
import * as z from 'zod';
import { processSchema, refuseAgentProcess } from './agent-process.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = processSchema.extend({
  /** Whether a file that leads a browser there is to be written. */
  file: z.boolean().default(false),
});

/** Replies with the address, good once within a minute, and the file that leads there. */
export const dashboard: CommandHandler = async (given, { http }) => {
  const { file, ...asking } = parseArgs(schema, given);
  refuseAgentProcess(asking, 'the page is opened');
  return http.openPage(file);
};

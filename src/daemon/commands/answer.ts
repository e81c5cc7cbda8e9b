// `answer`: a person's answer to an agent's question, from the command line.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { answerSchema } from '../../model/answering.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { HERE } from '../../model/local-host.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({
  id: z.string().max(100),
  /** Of the question as it was shown. */
  seen: z.string().min(1).max(100),
  answer: z.unknown(),
  /** Whether to reply only when the hook has left with it. */
  wait: z.boolean().default(false),
});
/** A hook leaves within milliseconds; a machine may be busy. */
const LEAVING = 20_000;

/** Replies when the hook has the answer; `taken`: it has left with it, null when that was not waited for. */
export const answer: CommandHandler = async (given, { answering }) => {
  const { wait, answer: said, ...named } = parseArgs(schema, given);
  const read = answerSchema.safeParse(said);
  if (!read.success) throw new UserError(`the answer ${read.error.issues[0]?.message ?? 'is unusable'}`, EXIT.usage);
  const answerer = { by: `${HERE.user} on ${HERE.host}`, via: 'command line' };
  const { left } = await answering.answer({ ...named, answer: read.data, answerer });
  const limit = new AbortController();
  const late = pause(LEAVING, false, { signal: limit.signal }).catch(() => false);
  const taken = wait ? await Promise.race([left.then(() => true), late]) : null;
  limit.abort();
  return { id: named.id, answer: read.data, taken };
};

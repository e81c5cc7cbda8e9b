// `answer`: a person's answer to an agent's question, from the command line.
import * as z from 'zod';
import { answerSchema } from '../../model/question/answering.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({
  id: z.string().max(100),
  /** Of the question as it was shown. */
  seen: z.string().min(1).max(100),
  answer: z.unknown(),
  wait: z.boolean().default(false),
});
/** Replies when the agent has the answer. `taken`: null to those who did not ask for it. */
export const answer: CommandHandler = async (given, { answering }) => {
  const { wait, answer: said, ...named } = parseArgs(schema, given);
  const read = answerSchema.safeParse(said);
  if (!read.success) throw new UserError(`the answer ${read.error.issues[0]?.message ?? 'is unusable'}`, EXIT.usage);
  const answerer = { by: `${HERE.user} on ${HERE.host}`, via: 'command line' };
  await answering.answer({ ...named, answer: read.data, answerer });
  return { id: named.id, answer: read.data, taken: wait ? true : null };
};

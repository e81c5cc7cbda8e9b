// GET /commands and POST /results of the link: what a hub asks of a laptop, and what became of that.
import * as z from 'zod';
import { answerSchema } from '../question/answering.ts';

/** An answer is never kept for later: its command has expired after this, ms. */
const ANSWER_EXPIRES = 10_000;

/** `by`: a person of the hub; `via`: page, or a channel's name. */
const from = { id: z.string().min(1).max(200), by: z.string().min(1).max(200), via: z.string().min(1).max(200) };

/** A command as it arrives; one of a type that is not known here is none. */
export const commandSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('answer'),
    ...from,
    /** The person's id at the hub: `answer = "own"` compares it with the one who joined. */
    person: z.string(),
    question: z.string(),
    /** The question's, as it was shown. */
    input_hash: z.string(),
    answer: answerSchema,
    /** How long it counts from when it was sent, ms. */
    expires_in_ms: z.int().min(0).max(ANSWER_EXPIRES),
  }),
  z.looseObject({ type: z.literal('acknowledge'), ...from, notification: z.string() }),
  z.looseObject({ type: z.literal('resync'), id: from.id, what: z.enum(['open', 'all']) }),
  z.looseObject({ type: z.literal('revoked'), id: from.id, why: z.string().default('') }),
]);

/** What became of a command. `closed`: nobody waited any more; `refused`: this machine's settings say no. */
const COMMAND_RESULTS = ['taken', 'late', 'unsent', 'unconfirmed', 'closed', 'refused'] as const;

/** What a laptop says of it. */
export const resultSchema = z.looseObject({
  /** Its id. */
  command: z.string(),
  result: z.enum(COMMAND_RESULTS),
  /** Who was first, of one that came late. */
  by: z.string().nullable().default(null),
  /** For people. */
  why: z.string().nullable().default(null),
});

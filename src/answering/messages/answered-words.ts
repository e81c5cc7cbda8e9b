// Who settled a question, in words for people: "allowed by ada in Slack", "answered at the terminal".
import * as z from 'zod';
import type { Question } from '../../model/question/question.ts';
import { endingOf } from '../../model/question/endings.ts';

/** What is kept of an answer, as far as it is shown. */
const answerSchema = z.object({
  type: z.enum(['allow', 'deny', 'choose', 'reply']),
  by: z.string(),
  via: z.string(),
});

const DONE = { allow: 'allowed', deny: 'denied', choose: 'answered', reply: 'replied to' } as const;

/** `where`: the phrase for a way. Null: nobody settled it. */
export function answeredWords({ state, answer, closed }: Question, where: (via: string) => string): string | null {
  if (state === 'closed') return endingOf(closed)?.name === 'at-terminal' ? closed : null;
  const read = state === 'answered' ? answerSchema.safeParse(answer) : null;
  if (!read?.success) return null;
  return `${DONE[read.data.type]} by ${read.data.by} ${where(read.data.via)}`;
}

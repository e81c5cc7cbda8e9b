// What may be answered to a question.
import { subjectSchema } from '../../../model/question/answering.ts';
import type { Question } from '../../../model/question/question.ts';
import { answersOf } from '../../../model/question/allowed-answers.ts';

/** Most choices that are listed. */
const MOST = 20;

/** Words for `belfry answer`; empty for a question that takes any text. */
export function answersTo({ kind, subject }: Pick<Question, 'kind' | 'subject'>): readonly string[] {
  if (kind !== 'choice') return answersOf({ kind, subject }).filter((type) => type !== 'reply');
  const shown = subjectSchema.safeParse(subject);
  const [only, ...others] = shown.success ? shown.data.choices : [];
  return only === undefined || others.length > 0 ? [] : only.options.slice(0, MOST);
}

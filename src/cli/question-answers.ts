// What may be answered to a question.
import { asObject } from '../lib/json.ts';
import type { Question } from '../model/question.ts';

/** Most choices that are listed. */
const MOST = 20;

/** Words for `belfry answer`; empty for a question that takes any text. */
export function answersTo({ kind, subject }: Pick<Question, 'kind' | 'subject'>): readonly string[] {
  if (kind === 'permission') return ['allow', 'deny'];
  if (kind === 'text') return [];
  const { options } = asObject(subject);
  const labels = (Array.isArray(options) ? options : []).map((option: unknown) =>
    typeof option === 'string' ? option : asObject(option)['label'],
  );
  return labels.filter((label) => typeof label === 'string').slice(0, MOST);
}

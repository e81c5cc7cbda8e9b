// Which answers a question takes from elsewhere: decided here for the page, chats, the command line and HTTP.
import type { Answer } from './answering.ts';
import type { Question } from './question.ts';

/** By its kind. */
const ANSWERS_OF: Readonly<Record<Question['kind'], readonly Answer['type'][]>> = {
  permission: ['allow', 'deny'],
  choice: ['choose', 'deny'],
  text: ['reply'],
};

/** Nobody may allow what they cannot see: what is not shown whole, or not known to be, is allowed at its terminal. */
export function answersOf({ kind, subject }: Pick<Question, 'kind' | 'subject'>): readonly Answer['type'][] {
  const isWhole = (Object(subject) as { readonly partial?: unknown }).partial === null;
  return isWhole ? ANSWERS_OF[kind] : ANSWERS_OF[kind].filter((type) => type !== 'allow');
}

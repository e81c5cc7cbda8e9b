// What people read about a question besides what is asked: the same words on the page, in chats and on the command line.
import type { Choice } from './answering.ts';
import { answersOf } from './allowed-answers.ts';
import type { Question } from './question.ts';

/** Why a permission is not allowed from here, as a sentence; null: it can be, or it is no permission. */
export function onlyAtTerminal({ kind, subject }: Pick<Question, 'kind' | 'subject'>): string | null {
  if (kind !== 'permission' || answersOf({ kind, subject }).includes('allow')) return null;
  const { partial } = Object(subject) as { readonly partial?: unknown };
  return `It can be allowed at its terminal only: ${typeof partial === 'string' ? partial : 'it cannot be shown'}.`;
}

/** What `text` says besides the choices, as a form's own introduction; empty: they say it all. Without choices it is the text as it is. */
export function beforeChoices(text: string, choices: readonly Pick<Choice, 'question'>[]): string {
  if (choices.length === 0) return text;
  const asked = choices.map(({ question }) => question).join('\n');
  return (text.endsWith(asked) ? text.slice(0, text.length - asked.length) : text).trim();
}

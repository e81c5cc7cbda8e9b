// From what a person said to what the agent gets: whether the question takes it, and which options are meant.
import type { Answer, Choice, FinalAnswer, QuestionSubject } from '../../model/answering.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Question } from '../../model/question.ts';
import { answersOf } from '../../model/question-answers.ts';

const HOW: Readonly<Record<Question['kind'], string>> = {
  permission: 'it asks for permission: answer allow, or deny with or without a message',
  choice: 'it asks a question: answer with one of its options or a text of your own, or deny',
  text: 'it has finished: give it a reply',
};

/** The answer in full; UserError (usage) when the question does not take it. */
export function finalAnswer(kind: Question['kind'], subject: QuestionSubject, answer: Answer): FinalAnswer {
  if (!answersOf({ kind, subject }).includes(answer.type))
    throw new UserError(
      kind === 'permission' && answer.type === 'allow' && subject.partial !== null
        ? `${subject.partial}: allow it at the terminal (nothing was sent)`
        : `${HOW[kind]} (nothing was sent)`,
      EXIT.usage,
    );
  if (answer.type !== 'choose') return answer;
  const { choices } = subject;
  if (answer.choices.length !== choices.length)
    throw new UserError(
      `it asks ${choices.length} ${choices.length === 1 ? 'question' : 'questions'}: give one answer to each (nothing was sent)`,
      EXIT.usage,
    );
  return { type: 'choose', chosen: choices.map((choice, at) => chosenOf(choice, answer.choices[at] ?? '')) };
}

/** A text that is no option is an answer of its own. */
function chosenOf(choice: Choice, text: string): readonly string[] {
  const one = optionOf(choice, text);
  if (one !== null || !choice.multiple) return [one ?? text];
  const parts = text.split(',').map((part) => part.trim());
  const several = parts.map((part) => optionOf(choice, part));
  return several.every((option) => option !== null) ? [...new Set(several)] : [text];
}

/** By its text, whatever its case, or by its number from 1. */
function optionOf({ options }: Choice, text: string): string | null {
  const wanted = text.toLowerCase();
  const named = options.find((option) => option === text) ?? options.find((option) => option.toLowerCase() === wanted);
  return named ?? (/^\d{1,2}$/.test(text) ? (options[Number(text) - 1] ?? null) : null);
}

// From what a person said to what the agent gets: whether the question takes it, and which options are meant.
import type { Answer, Choice, FinalAnswer, QuestionSubject } from '../../model/question/answering.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Question } from '../../model/question/question.ts';
import { answersOf } from '../../model/question/allowed-answers.ts';

const HOW: Readonly<Record<Question['kind'], string>> = {
  permission: 'it asks for permission: answer allow, or deny with or without a message',
  choice: 'it asks a question: answer with one of its options or a text of your own, or deny',
  text: 'it has finished: give it a reply',
};

const NUMBER = /^\d{1,2}$/;

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

/** A text that is no option is an answer of its own; UserError (usage) for a number that no option has, which is a slip of the finger. */
function chosenOf(choice: Choice, text: string): readonly string[] {
  const parts = choice.multiple ? text.split(',').map((part) => part.trim()) : [text];
  const several =
    optionOf(choice, text) === null ? parts.map((part) => optionOf(choice, part)) : [optionOf(choice, text)];
  if (several.every((option) => option !== null)) return [...new Set(several)];
  const slip = parts.every((part) => NUMBER.test(part)) && parts.find((part) => optionOf(choice, part) === null);
  if (slip && choice.options.length > 0 && !choice.options.some((option) => /\d/.test(option)))
    throw new UserError(
      `it has no option ${slip}, only 1 to ${choice.options.length}; an answer of your own needs words (nothing was sent)`,
      EXIT.usage,
    );
  return [text];
}

/** By its text, whatever its case, or by its number from 1. */
function optionOf({ options }: Choice, text: string): string | null {
  const wanted = text.toLowerCase();
  const named = options.find((option) => option === text) ?? options.find((option) => option.toLowerCase() === wanted);
  return named ?? (NUMBER.test(text) ? (options[Number(text) - 1] ?? null) : null);
}

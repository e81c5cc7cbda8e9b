// What people are shown of a question: everything but secrets, and whether that is all of it.
import type { QuestionSubject } from '../model/answering.ts';
import type { Answerable } from './wait.ts';

/** Redacted. */
export function subjectOf(
  { session, question }: Pick<Answerable, 'session' | 'question'>,
  redact: (text: string) => string,
): QuestionSubject {
  const { cwd, subagent, tool, choices } = question;
  const text = redact(question.text);
  return {
    agent: session.agent,
    sessionId: session.sessionId,
    cwd,
    subagent,
    tool: tool?.name ?? null,
    text,
    choices: choices.map((choice) => ({
      question: redact(choice.question),
      options: choice.options.map(redact),
      multiple: choice.multiple,
    })),
    partial: question.partial ?? (text === question.text ? null : 'a part of it was hidden as a secret'),
  };
}

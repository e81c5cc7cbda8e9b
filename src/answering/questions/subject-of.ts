// What people are shown of a question, and whether it is all of it: decided here once, for every way that a question can be answered.
import type { Choice, QuestionSubject } from '../../model/question/answering.ts';
import { shownLine, type ShownText, shownText } from './shown-text.ts';
import type { Asked } from './asker.ts';

const SECRET = 'a part of it was hidden as a secret';
const UNSEEN = 'it has characters that cannot be seen';

/** Redacted, and ready to be shown as plain text. */
export function subjectOf(
  { session, question }: Pick<Asked, 'session' | 'question'>,
  redact: (text: string) => string,
): QuestionSubject {
  let hid = false;
  const seen = (by: (text: string) => ShownText, redacted: string): string => {
    const made = by(redacted);
    hid ||= made.hid;
    return made.text;
  };
  const shown = (by: (text: string) => ShownText, text: string): string => seen(by, redact(text));
  const maybe = (text: string | null): string | null => (text === null ? null : shown(shownLine, text));
  const choiceOf = (choice: Choice): Choice => ({
    question: shown(shownText, choice.question),
    options: choice.options.map((option) => shown(shownLine, option)),
    descriptions: choice.descriptions.map((text) => (text === null ? null : shown(shownText, text))),
    multiple: choice.multiple,
  });
  const text = redact(question.text); // once: a long one takes a while
  const subject = {
    agent: session.agent,
    sessionId: session.sessionId,
    cwd: maybe(question.cwd),
    subagent: maybe(question.subagent),
    tool: maybe(question.tool?.name ?? null),
    text: seen(shownText, text),
    choices: question.choices.map(choiceOf),
  };
  const secret = text === question.text ? null : SECRET;
  return { ...subject, partial: question.partial ?? secret ?? (hid ? UNSEEN : null) };
}

// A question as the message on one channel is given it: what is shown, and its buttons.
import { subjectSchema, type QuestionSubject } from '../../model/question/answering.ts';
import type { AnswerButton, MessageQuestion } from '../../model/question/shown-question.ts';
import type { Question } from '../../model/question/question.ts';
import { answersOf } from '../../model/question/allowed-answers.ts';
import { onlyAtTerminal } from '../../model/question/question-words.ts';
import { buttonReference, type Pressed } from '../answers/button-references.ts';

/** `withheld`: why this channel is not given what is asked about; null: it is. */
export function messageQuestion(
  question: Question,
  on: { readonly channel: string; readonly key: Buffer; readonly withheld: string | null },
): MessageQuestion {
  const subject = subjectSchema.parse(question.subject);
  const partial = on.withheld ?? subject.partial;
  const button = (label: string, pressed: Pressed): AnswerButton => ({
    says: pressed.says,
    label,
    reference: buttonReference(on.key, on.channel, question, pressed),
  });
  return {
    kind: question.kind,
    text: on.withheld === null ? subject.text : '',
    choices: on.withheld === null ? subject.choices : [],
    partial,
    allowAt: allowAt(question, on.withheld),
    buttons: pressable(question.kind, subject, on.withheld).map(([label, pressed]) => button(label, pressed)),
  };
}

/** Long enough to be the only one that begins so. */
const SHORT_ID = 14;

/** The command that answers it, to be typed. */
export const commandFor = ({ id }: Pick<Question, 'id'>, answer: string): string =>
  `belfry answer ${id.slice(0, SHORT_ID)} ${answer}`;

function allowAt(question: Question, withheld: string | null): string {
  const thereOnly = onlyAtTerminal(question);
  const where =
    thereOnly ?? `Read all of it and allow it at its terminal, on the page, or with: ${commandFor(question, 'allow')}`;
  return withheld === null ? where : `Not all is shown (${withheld}). ${where}`;
}

type Labelled = readonly [label: string, pressed: Pressed];

function pressable(kind: Question['kind'], subject: QuestionSubject, withheld: string | null): readonly Labelled[] {
  if (kind === 'permission') {
    const mayAllow = withheld === null && answersOf({ kind, subject }).includes('allow');
    const allow: readonly Labelled[] = [['Allow', { says: 'allow' }]];
    return [...(mayAllow ? allow : []), ['Deny', { says: 'deny' }], ['Deny with a text', { says: 'text' }]];
  }
  if (kind === 'text') return [['Reply', { says: 'text' }]];
  if (withheld !== null) return [];
  const [only, ...others] = subject.choices;
  // One press is one answer: where several are wanted, they are written.
  const options = only === undefined || others.length > 0 || only.multiple ? [] : only.options;
  return [
    ...options.map((label, option): Labelled => [label, { says: 'choose', question: 0, option }]),
    ['Answer with a text', { says: 'text' }],
  ];
}

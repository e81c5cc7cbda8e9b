// Hands an answer to the daemon with what was seen of its question, and says what was answered.
import { basename } from 'node:path';
import { cutGraphemes, oneLine } from '../../../lib/text/text.ts';
import { type Answer, type Choice, type QuestionSubject, subjectSchema } from '../../../model/question/answering.ts';
import type { Question } from '../../../model/question/question.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';

/** Beyond what the daemon waits for a hook to leave, ms. */
const PATIENCE = 30_000;
/** Characters of what was asked. */
const LONGEST = 200;

/** `seen`: the value of what was shown; the daemon refuses the answer when the question shows something else by now. `taken`: null where that was not waited for. */
export async function giveAnswer(
  { id }: Pick<Question, 'id'>,
  seen: string,
  answer: Answer,
  wait: boolean,
): Promise<{ taken: boolean | null }> {
  const args = { id, seen, answer, wait };
  return (await ask(resolveOwnPaths(), 'answer', args, PATIENCE)) as { taken: boolean | null };
}

/** How the agent's own word for what a command does begins: no line of the command. */
const PURPOSE = 'description: ';

const DONE = { allow: 'allowed', deny: 'denied', choose: 'answered', reply: 'sent' } as const;

/** "allowed: rm -rf build (claude, payments)". `project`: where it is known better than by its folder. */
export function answeredLine(question: Question, answer: Answer, project: string | null): string {
  const subject = subjectSchema.safeParse(question.subject).data;
  const where = [subject?.agent, project ?? (subject?.cwd ? basename(subject.cwd) : null)].filter((part) => part);
  const place = where.length === 0 ? '' : ` (${where.join(', ')})`;
  return oneLine(`${DONE[answer.type]}: ${whatOf(answer, subject)}${place}`);
}

function whatOf(answer: Answer, subject: QuestionSubject | undefined): string {
  if (answer.type === 'reply') return cutGraphemes(oneLine(answer.text), LONGEST);
  if (answer.type === 'choose')
    return answer.choices.map((given, at) => chosenWords(subject?.choices[at], given)).join('; ');
  const [first = '', ...more] = (subject?.text ?? '').split('\n');
  if (more.at(-1)?.startsWith(PURPOSE)) more.pop();
  const rest = more.length === 0 ? '' : ` … (${more.length + 1} lines)`;
  const what = `${cutGraphemes(oneLine(first), LONGEST)}${rest}`;
  const asked = subject?.choices[0]?.question;
  return asked === undefined ? what : cutGraphemes(oneLine(asked), LONGEST);
}

/** Numbers as the options that they stand for. */
function chosenWords(choice: Choice | undefined, given: string): string {
  const named = given.split(',').map((part) => choice?.options[Number(part.trim()) - 1]);
  const words = named.every((one) => one !== undefined) && choice ? named.join(', ') : given;
  return `${choice ? `${oneLine(choice.question)} ` : ''}${cutGraphemes(oneLine(words), LONGEST)}`;
}

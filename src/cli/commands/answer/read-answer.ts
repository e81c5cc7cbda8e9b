// From what a person types to an answer: words of a command line, or lines at a prompt.
import type { Answer, Choice, QuestionSubject } from '../../../model/question/answering.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { answersOf } from '../../../model/question/allowed-answers.ts';
import type { Question } from '../../../model/question/question.ts';

/** What they decided at a prompt. */
export type Decided = Answer | 'skip' | 'quit';

/** Asks one line; null: they have had enough. */
export type AskLine = (prompt: string) => Promise<string | null>;

/** From the command line. A choice may read allow or deny like any other text; a permission is never a choice. */
export function answerOf(question: Question, words: readonly string[], message: string | undefined): Answer {
  const [word = ''] = words;
  if (word === 'deny' && words.length === 1) return { type: 'deny', message: message ?? null };
  if (message !== undefined) throw new UserError('--message goes with deny only (nothing was sent)', EXIT.usage);
  if (question.kind === 'choice') return { type: 'choose', choices: [...words] };
  if (word === 'allow' && words.length === 1) return { type: 'allow' };
  const how = question.kind === 'text' ? '`belfry reply ID TEXT` gives it work' : 'answer allow or deny';
  throw new UserError(`"${words.join(' ')}" is no answer to it: ${how} (nothing was sent)`, EXIT.usage);
}

/** Asks until they decide. Enter alone decides nothing. `others`: whether something comes after it. */
export async function decide(
  question: Question,
  subject: QuestionSubject,
  ask: AskLine,
  others: boolean,
): Promise<Decided> {
  const leave = others ? 'skip or quit' : 'quit';
  if (question.kind === 'permission') return permission(answersOf(question).includes('allow'), ask, leave);
  if (question.kind === 'choice') return choose(subject.choices, ask, leave);
  const text = await lineOf(ask, `Your next instruction, ${leave}: `);
  return text === 'skip' || text === 'quit' ? text : { type: 'reply', text };
}

async function permission(mayAllow: boolean, ask: AskLine, leave: string): Promise<Decided> {
  for (;;) {
    const line = await lineOf(ask, `${mayAllow ? 'allow, ' : ''}deny, ${leave}: `);
    const [, word = '', text = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
    if (line === 'skip' || line === 's') return 'skip';
    if (line === 'quit' || line === 'q') return 'quit';
    if (mayAllow && (line === 'allow' || line === 'a')) return { type: 'allow' };
    if (word !== 'deny' && word !== 'd') continue;
    const said = text === '' ? await ask('What to tell the agent (Enter: nothing): ') : text;
    return said === null ? 'quit' : { type: 'deny', message: said === '' ? null : said };
  }
}

async function choose(choices: readonly Choice[], ask: AskLine, leave: string): Promise<Decided> {
  const chosen: string[] = [];
  for (const [at, choice] of choices.entries()) {
    const which = choices.length > 1 ? `Question ${at + 1} of ${choices.length}: ` : '';
    const how = choice.multiple ? 'numbers such as 1,2' : 'a number';
    const options = choice.options.length > 0 ? `${how} or words of your own` : 'your words';
    const line = await lineOf(ask, `${which}${options}, deny, ${leave}: `);
    if (line === 'skip' || line === 'quit') return line;
    if (line === 'deny') return { type: 'deny', message: null };
    chosen.push(line);
  }
  return { type: 'choose', choices: chosen };
}

/** Not empty. */
async function lineOf(ask: AskLine, prompt: string): Promise<string> {
  for (;;) {
    const line = await ask(prompt);
    if (line === null) return 'quit';
    if (line !== '') return line;
  }
}

// Asks a person for a channel's settings on the terminal.
import { styleText } from 'node:util';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers, SetupQuestion } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { wrap } from '../../output/wrap.ts';
import { isSecretKey, openQuestions, settingValue } from './parse-answers.ts';

/** Typed in place of a secret that was typed before and is not wanted: it cannot be seen, so not be deleted. */
const LEFT_OUT = '-';
/** Columns before the text of a prompt. */
const BAR = 4;

/** The person has had enough of the questions. */
export class Cancelled extends UserError {
  constructor() {
    super('cancelled; nothing was changed', EXIT.other);
  }
}

/** The answer of a prompt; throws `Cancelled`. */
export async function answered<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const { isCancel } = await import('@clack/prompts');
  const answer = await prompt;
  if (isCancel(answer)) throw new Cancelled();
  return answer as Exclude<T, symbol>; // a symbol stands for nothing but that
}

/** Folded for the terminal: the library draws its bar before each line of a question of yes or no, and of a list. */
export const folded = (text: string): string => wrap(text, (process.stdout.columns || 80) - BAR).join('\n');

/** The text of a prompt that is typed into, with what else there is to say: here the library draws the bar before the first line only. */
async function typedPrompt(ask: string, hints: readonly string[]): Promise<string> {
  const { S_BAR } = await import('@clack/prompts');
  return [ask, ...hints]
    .map(folded)
    .join('\n')
    .replaceAll('\n', `\n${styleText('gray', S_BAR)}  `);
}

/** What a person typed in an earlier try: to start from, and to be kept for a later one. */
export interface Typed {
  answers: SetupAnswers;
}

/** Every question that has no answer yet, in the channel's order. What is typed is kept in `typed` at once, and is what the next try starts from. */
export async function askQuestions(
  channel: ChannelType,
  before: SetupAnswers,
  typed: Typed = { answers: {} },
): Promise<SetupAnswers> {
  let answers = before;
  const skipped = new Set<string>();
  for (;;) {
    const question = openQuestions(channel, answers).find(({ key }) => !skipped.has(key));
    if (!question) return answers;
    const { key } = question;
    const value = await askOne(channel, question, answers, typed.answers[key]);
    typed.answers = { ...typed.answers, [key]: value };
    if (value === undefined) skipped.add(key);
    else answers = { ...answers, [key]: value };
  }
}

/** The setting's value; undefined: left out. `last`: what was typed before. */
async function askOne(
  channel: ChannelType,
  { key, ask, help, suggest, optional }: SetupQuestion,
  answers: SetupAnswers,
  last: unknown,
): Promise<unknown> {
  const { password, text } = await import('@clack/prompts');
  // What is suggested has to be seen, also where it is a secret: it is new.
  const unseen = suggest === undefined && isSecretKey(channel, key);
  const keeps = unseen && last !== undefined;
  const drops = (value: string): boolean => keeps && optional === true && value === LEFT_OUT;
  const kept = `Leave it empty to keep what you typed${optional ? `, or type ${LEFT_OUT} to leave it out` : ''}.`;
  const empty = keeps ? kept : optional ? 'Leave it empty to skip it.' : undefined;
  const message = await typedPrompt(
    `${ask}${optional ? ' (optional)' : ''}`,
    [help, empty].filter((hint) => hint !== undefined),
  );
  const read = (typed: string) => settingValue(channel, answers, key, typed);
  const validate = (typed: string | undefined): string | undefined => {
    const value = (typed ?? '').trim();
    if (value === '') return optional || keeps ? undefined : 'is needed';
    if (drops(value)) return undefined;
    const found = read(value);
    return 'error' in found ? found.error : undefined;
  };
  const initialValue =
    last === undefined ? (suggest?.() ?? '') : typeof last === 'string' ? last : JSON.stringify(last);
  const typed = (
    await answered(unseen ? password({ message, validate }) : text({ message, validate, initialValue }))
  ).trim();
  if (typed === '') return keeps ? last : undefined;
  if (drops(typed)) return undefined;
  const found = read(typed);
  return 'error' in found ? undefined : found.value;
}

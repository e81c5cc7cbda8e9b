// Asks a person for a channel's settings on the terminal.
import { styleText } from 'node:util';
import type { ChannelType } from '../../model/channel.ts';
import type { SetupAnswers, SetupQuestion } from '../../model/channel-setup.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { wrap } from '../wrap.ts';
import { isSecretKey, openQuestions, settingValue } from './answers.ts';

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

/** A prompt's text with what else there is to say, folded for the terminal. */
export async function promptText(ask: string, hints: readonly string[] = []): Promise<string> {
  const { S_BAR } = await import('@clack/prompts');
  const lines = [ask, ...hints].flatMap((text) => wrap(text, (process.stdout.columns || 80) - BAR));
  return lines.join(`\n${styleText('gray', S_BAR)}  `);
}

/** Every question that has no answer yet, in the channel's order. */
export async function askQuestions(channel: ChannelType, before: SetupAnswers): Promise<SetupAnswers> {
  let answers = before;
  const skipped = new Set<string>();
  for (;;) {
    const question = openQuestions(channel, answers).find(({ key }) => !skipped.has(key));
    if (!question) return answers;
    const { key } = question;
    const typed = (await askOne(channel, question, answers)).trim();
    const read = typed === '' ? null : settingValue(channel, answers, key, typed);
    if (read === null || 'error' in read) skipped.add(key);
    else answers = { ...answers, [key]: read.value };
  }
}

async function askOne(channel: ChannelType, question: SetupQuestion, answers: SetupAnswers): Promise<string> {
  const { password, text } = await import('@clack/prompts');
  const { key, ask, help, suggest, optional } = question;
  const hints = [help, optional ? 'Leave it empty to go without.' : undefined].filter((hint) => hint !== undefined);
  const message = await promptText(`${ask}${optional ? ' (optional)' : ''}`, hints);
  const validate = (typed: string | undefined): string | undefined => {
    const value = (typed ?? '').trim();
    if (value === '') return optional ? undefined : 'is needed';
    const read = settingValue(channel, answers, key, value);
    return 'error' in read ? read.error : undefined;
  };
  // What is suggested has to be seen, also where it is a secret: it is new.
  const suggested = suggest?.();
  if (suggested !== undefined) return answered(text({ message, validate, initialValue: suggested }));
  return answered(isSecretKey(channel, key) ? password({ message, validate }) : text({ message, validate }));
}

// The answers given on the command line: `--set KEY=VALUE`. A secret stands in no argument, which other users can see.
import * as z from 'zod';
import { SECRET_LIMIT } from '../../../config/secrets/secret-store.ts';
import { didYouMean } from '../../../lib/text/did-you-mean.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { pipedText } from '../../options/piped-text.ts';
import { isLiteralSecret, isSecretKey, settingValue } from './parse-answers.ts';

/** `before`: what is known already; a given one wins over it. */
export async function givenAnswers(
  channel: ChannelType,
  before: SetupAnswers,
  given: readonly string[],
): Promise<SetupAnswers> {
  let answers = before;
  const pairs = given.map((text) => pairOf(channel, text));
  const lines = pairs.some(([, value]) => value === '-') ? (await pipedText(SECRET_LIMIT)).split(/\r?\n/) : [];
  for (const [key, text] of pairs) {
    const typed = text === '-' ? (lines.shift() ?? '').trim() : text;
    if (typed === '') throw refused(`${key}: nothing was given for it`);
    if (text !== '-' && isLiteralSecret(channel, key, typed))
      throw refused(
        `${key} is a secret, and others can see arguments: use --set ${key}=- and send it to standard input, or give env:NAME, file:PATH or secret:NAME`,
      );
    const read = settingValue(channel, answers, key, typed);
    if ('error' in read) throw refused(`${key}: ${read.error}`);
    answers = { ...answers, [key]: read.value };
  }
  return answers;
}

function pairOf(channel: ChannelType, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(0, at)).trim();
  const value = text.slice(at + 1);
  if (key === '') throw refused('--set needs KEY=VALUE');
  const known = Object.keys(z.toJSONSchema(channel.schema, { io: 'input', unrepresentable: 'any' }).properties ?? {});
  if (!known.includes(key)) throw refused(`"${key}" is no setting of ${channel.type}${didYouMean(key, known)}`);
  if (value === '-' && !isSecretKey(channel, key)) throw refused(`${key} is no secret: give its value`);
  return [key, value];
}

function refused(what: string): UserError {
  return new UserError(`${what}; nothing was changed`, EXIT.usage);
}

// Answers for a channel's settings: what a typed text means, and what the channel's schema says of it.
import { parse } from 'smol-toml';
import { valueCandidates } from '../../../config/toml/edit-setting.ts';
import { issuesOf } from '../../../config/checks/schema-issues.ts';
import { secretRefKind } from '../../../lib/secrets/secret-ref.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers, SetupQuestion } from '../../../model/channel/setup.ts';
import { secretFields } from '../../../model/settings/secret-fields.ts';

/** Whether the schema marks this setting as a secret. */
export function isSecretKey(channel: ChannelType, key: string): boolean {
  return secretFields(channel.schema, { [key]: 'x' }).length > 0;
}

/** Whether a secret is given as itself, to be stored. */
export function isLiteralSecret(channel: ChannelType, key: string, value: unknown): value is string {
  return typeof value === 'string' && isSecretKey(channel, key) && secretRefKind(value) === 'literal';
}

/** What is wrong with these answers, one line for each setting: `KEY: what`. Never a value. */
export function faultsOf(channel: ChannelType, answers: SetupAnswers): string[] {
  const parsed = channel.schema.safeParse(answers);
  if (parsed.success) return [];
  return issuesOf(parsed.error, channel.schema, answers).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** The value that a text means for this setting: TOML where that is valid, else the text itself. */
export function settingValue(
  channel: ChannelType,
  answers: SetupAnswers,
  key: string,
  text: string,
): { readonly value: unknown } | { readonly error: string } {
  const values = isSecretKey(channel, key)
    ? [text]
    : valueCandidates(text).map((candidate) => parse(`v = ${candidate}`)['v']);
  let error = 'is invalid';
  // A list with a member that is wrong is said so, and not that its text is no list.
  let depth = 0;
  for (const value of values) {
    const parsed = channel.schema.safeParse({ ...answers, [key]: value });
    const issues = parsed.success ? [] : issuesOf(parsed.error, channel.schema, { ...answers, [key]: value });
    const own = issues.find(({ path }) => path[0] === key);
    if (!own) return { value };
    if (own.path.length > depth)
      ({
        message: error,
        path: { length: depth },
      } = own);
  }
  return { error };
}

/** The questions that still have to be asked of somebody who answered so far. */
export function openQuestions(channel: ChannelType, answers: SetupAnswers): SetupQuestion[] {
  return channel.setup.questions.filter(({ key, when }) => answers[key] === undefined && (when?.(answers) ?? true));
}

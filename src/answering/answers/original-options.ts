// An answer in the agent's own words: of what people chose they have seen the redacted form, and the agent knows its own.
import type { Choice, FinalAnswer } from '../../model/question/answering.ts';
import { EXIT, UserError } from '../../model/errors.ts';

/** `shown` and `asked`: the same choices, redacted and as the agent asked. UserError (usage) where two options look the same. */
export function withOriginalOptions(
  final: FinalAnswer,
  shown: readonly Choice[],
  asked: readonly Choice[],
): FinalAnswer {
  if (final.type !== 'choose') return final;
  return { type: 'choose', chosen: final.chosen.map((texts, at) => texts.map(originalOf(shown[at], asked[at]))) };
}

/** A text that is no option stays as it is. */
function originalOf(shown: Choice | undefined, asked: Choice | undefined): (text: string) => string {
  return (text) => {
    const meant = new Set((asked?.options ?? []).filter((_option, i) => shown?.options[i] === text));
    if (meant.size > 1)
      throw new UserError(
        'what differs between these options was hidden as a secret: choose at the terminal (nothing was sent)',
        EXIT.usage,
      );
    const [original = text] = meant;
    return original;
  };
}

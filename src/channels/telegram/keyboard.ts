// The buttons below a message (core.telegram.org/bots/api, "InlineKeyboardMarkup"): of its question, or the one that acknowledges it.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { AnswerButton } from '../../model/question/shown-question.ts';

const LABEL = 60;

/** Words are given by a reply, so they need no button. */
export function keyboard(
  { acknowledgeWith, resolution, question }: OutgoingMessage,
  buttons: readonly AnswerButton[],
): { readonly reply_markup?: object } {
  const button = (label: string, data: string): object => ({
    text: cutGraphemes(oneLine(label), LABEL) || '-',
    callback_data: data,
  });
  const pressed = buttons.filter(({ says }) => says !== 'text').map(({ label, reference }) => button(label, reference));
  // Allow and Deny beside each other; an option takes a line.
  const rows = question?.kind === 'permission' ? [pressed] : pressed.map((one) => [one]);
  const isAsked = question !== null && question.kind !== 'text';
  const gotIt = isAsked || acknowledgeWith === null || resolution !== null ? [] : [[button('Got it', acknowledgeWith)]];
  const all = [...rows, ...gotIt].filter((row) => row.length > 0);
  return all.length === 0 ? {} : { reply_markup: { inline_keyboard: all } };
}

// Buttons on the phone: docs.ntfy.sh, "Action buttons". Each writes its one-time value to the topic for answers.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import { plainButtons } from '../shared/plain-buttons.ts';
import { bodyWithQuestion } from '../shared/question-text.ts';
import { shownBody } from '../shared/shown-body.ts';

/** The server takes three. */
const MAX_BUTTONS = 3;
const LABEL = 40;
/** What is left of a message's bytes for a question, whose text is escaped in JSON beside the buttons. */
const ROOM = 3_000;

const cost = (text: string): number =>
  Math.max(Buffer.byteLength(text), (Buffer.byteLength(JSON.stringify(text)) - 2) / 1.5);

/** The body, and the buttons below it. */
export function withButtons(
  message: OutgoingMessage,
  answerUrl: string | null,
): { readonly body: string; readonly actions: readonly object[] } {
  const { question } = message;
  const action = (label: string, value: string): object => ({
    action: 'http',
    label: cutGraphemes(oneLine(label), LABEL) || '-',
    url: answerUrl,
    method: 'POST',
    body: value,
    clear: true,
  });
  if (answerUrl === null) return { body: shownBody(message), actions: [] };
  // Nothing can be written from a notification of the app.
  if (question === null || question.kind === 'text') {
    const plain = plainButtons(message).slice(0, MAX_BUTTONS);
    return { body: shownBody(message), actions: plain.map(({ label, reference }) => action(label, reference)) };
  }
  const { text, buttons } = bodyWithQuestion(message, {
    limit: ROOM,
    cost,
    howToWrite: null,
    mostButtons: MAX_BUTTONS,
  });
  const pressed = buttons.filter(({ says }) => says !== 'text');
  return { body: text, actions: pressed.map(({ label, reference }) => action(label, reference)) };
}

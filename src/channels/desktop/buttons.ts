// The buttons of a notification, and the text beside them: what an agent asks, as far as the few lines of a notification show all of it.
import { cutGraphemes, oneLine } from '../../lib/text.ts';
import type { OutgoingMessage } from '../../model/channel.ts';
import { bodyWithQuestion } from '../shared/question-text.ts';
import type { DesktopButton, WithButtons } from './freedesktop.ts';

/** Servers show four lines, of about sixty characters each: what is longer may be cut, and cannot be allowed here. */
const LINES = 4;
const ROOM = 240;
/** What fits beside each other. */
const MOST = 4;
const LABEL = 40;

/** `body`: where nothing is asked. */
export function withButtons(message: OutgoingMessage, body: string): WithButtons {
  const { question, acknowledgeWith, showWith, resolution } = message;
  const show: readonly DesktopButton[] = showWith === null ? [] : [[showWith, 'Show']];
  const gotIt: readonly DesktopButton[] =
    acknowledgeWith === null || resolution !== null ? [] : [[acknowledgeWith, 'Got it']];
  // Some servers show only three: a click on the notification shows as well, and what is answered needs no "Got it".
  const always = [...show, ...gotIt];
  // Nothing can be written in a notification.
  if (question === null || question.kind === 'text' || resolution !== null)
    return { body, onClick: showWith, buttons: always };
  const shown = bodyWithQuestion(message, { limit: ROOM, lines: LINES, howToWrite: null, mostButtons: MOST });
  const answers = shown.buttons
    .filter(({ says }) => says !== 'text')
    .map(({ label, reference }): DesktopButton => [reference, cutGraphemes(oneLine(label), LABEL) || '-']);
  return { body: shown.text, onClick: showWith, buttons: [...answers, ...always] };
}

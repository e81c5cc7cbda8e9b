// The buttons of a notification, and the text beside them: what an agent asks, as far as the few lines of a notification show all of it.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { MessageQuestion } from '../../model/question/shown-question.ts';
import { plainButtons } from '../shared/plain-buttons.ts';
import { bodyWithQuestion } from '../shared/question-text.ts';
import type { DesktopButton, DesktopReply, WithButtons } from './freedesktop.ts';

/** Servers show four lines, of about sixty characters each: what is longer may be cut, and cannot be allowed here. */
const LINES = 4;
const ROOM = 240;
/** What fits beside each other. */
const MAX_BUTTONS = 4;
const LABEL = 40;

/** What the empty field says: it names what the text will do. */
const PLACEHOLDERS = {
  permission: 'Deny it, and say why',
  choice: 'Answer in words',
  text: 'Its next instruction',
} as const;

/** `body`: where nothing is asked. `canReply`: whether the server has a field to write in. */
export function withButtons(message: OutgoingMessage, body: string, canReply: boolean): WithButtons {
  const { question, showWith, resolution } = message;
  const show: readonly DesktopButton[] = showWith === null ? [] : [[showWith, 'Show']];
  const others = plainButtons(message).map(({ label, reference }): DesktopButton => [reference, label]);
  // Some servers show only three: a click on the notification shows as well, and what is answered needs no "Got it".
  const always = [...show, ...others].slice(0, MAX_BUTTONS);
  const plain = { body, onClick: showWith, buttons: always, reply: null };
  if (question === null || resolution !== null) return plain;
  const reply = canReply ? replyTo(question) : null;
  if (question.kind === 'text') return { ...plain, reply };
  const howToWrite = reply !== null && question.kind === 'choice' ? 'Reply' : null; // of a permission the field says it
  const shown = bodyWithQuestion(message, { limit: ROOM, lines: LINES, howToWrite, mostButtons: MAX_BUTTONS });
  const answers = shown.buttons
    .filter(({ says }) => says !== 'text')
    .map(({ label, reference }): DesktopButton => [reference, cutGraphemes(oneLine(label), LABEL) || '-']);
  return { body: shown.text, onClick: showWith, buttons: [...answers, ...always], reply };
}

/** The field takes one line, so several questions at once are answered elsewhere. */
function replyTo({ kind, choices, buttons }: MessageQuestion): DesktopReply | null {
  const words = buttons.find(({ says }) => says === 'text');
  if (words === undefined || choices.length > 1) return null;
  return { key: words.reference, label: words.label, placeholder: PLACEHOLDERS[kind] };
}

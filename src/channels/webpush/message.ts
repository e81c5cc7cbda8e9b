// What a browser is sent: the page's worker (src/web/service-worker.ts) shows it. Encrypted, it has to fit into 4,096 bytes.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { PushMessage } from '../../model/channel/push-message.ts';
import type { Browser } from '../../model/channel/browsers.ts';
import { plainButtons } from '../shared/plain-buttons.ts';
import { bodyWithQuestion } from '../shared/question-text.ts';
import { briefBody } from '../shared/readable-body.ts';
import { pressProof } from './press-proof.ts';

/** Buttons that browsers show. */
const MAX_BUTTONS = 2;
const LABEL = 40;
const TITLE = 120;
/** What fits on the lines that a desktop shows: a question that is longer cannot be allowed there. */
const LINES = 4;
const WIDTH = 60;
/** All of the text, bytes. */
const TEXT_BYTES = 1_500;

const cost = (text: string): number => Math.max(text.length * (TEXT_BYTES / (LINES * WIDTH)), Buffer.byteLength(text));

/** What is shown; the same for each browser but for what proves its buttons, which {@link forBrowser} adds. */
export function pushMessage(message: OutgoingMessage): PushMessage {
  const { content, operation, resolution, id, notificationId } = message;
  const { body, actions } = shownOf(message);
  return {
    id,
    tag: notificationId,
    title: cutGraphemes(oneLine(content.title), TITLE) || 'Belfry',
    body: cutGraphemes(body, TEXT_BYTES, (text) => Buffer.byteLength(text)),
    at: content.event.at,
    quiet: operation !== 'send' || content.urgency === 'low',
    stays: content.urgency === 'urgent' && resolution === null,
    over: resolution !== null,
    actions,
  };
}

/** As JSON. */
export function forBrowser(message: PushMessage, browser: Browser): string {
  const actions = message.actions.map(({ action, title }) => ({
    action: `${action} ${pressProof(browser, action)}`,
    title,
  }));
  return JSON.stringify({ ...message, actions });
}

function shownOf(message: OutgoingMessage): Pick<PushMessage, 'body' | 'actions'> {
  const { question, resolution, content } = message;
  const action = (title: string, reference: string) => ({
    action: reference,
    title: cutGraphemes(oneLine(title), LABEL) || '-',
  });
  if (question !== null && question.kind !== 'text') {
    const room = { limit: TEXT_BYTES, cost, lines: LINES, howToWrite: null, mostButtons: MAX_BUTTONS };
    const { text, buttons } = bodyWithQuestion(message, room);
    const pressed = buttons.filter(({ says }) => says !== 'text');
    return { body: text, actions: pressed.map(({ label, reference }) => action(label, reference)) };
  }
  const why = resolution === null ? [] : [`✓ ${oneLine(resolution.why)}`];
  const body = [...why, briefBody(content)].filter((part) => part !== '').join('\n');
  const plain = plainButtons(message).slice(0, MAX_BUTTONS);
  return { body, actions: plain.map(({ label, reference }) => action(label, reference)) };
}

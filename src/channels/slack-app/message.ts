// What the app posts: the same as an incoming webhook, or what is asked, all of it as plain text; and the buttons where somebody listens.
import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import { cutGraphemes, escapeXml, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { AnswerButton } from '../../model/question/shown-question.ts';
import { plainButtons } from '../shared/plain-buttons.ts';
import { bodyWithQuestion } from '../shared/question-text.ts';
import { slackMessage } from '../shared/slack.ts';

/** Of the buttons: the one that acknowledges, those about what has stopped, those that answer at once, those that ask for words. Nobody else's are listened to. */
export const ACKNOWLEDGE = 'belfry_acknowledge';
export const GO_ON = 'belfry_go_on';
export const ANSWER = 'belfry_answer';
export const WORDS = 'belfry_words';

/** A section takes 3,000, escaped. */
const ROOM = 2_900;
const LABEL = 70;
const MAX_BUTTONS = 20;
const STYLES = { allow: { style: 'primary' }, deny: { style: 'danger' }, choose: {}, text: {} } as const;

/** For chat.postMessage and chat.update; both replace all that was there. */
export function appMessage(message: OutgoingMessage): Record<string, unknown> {
  const { content, resolution, question } = message;
  const cost = (part: string): number => escapeXml(part).length;
  const room = { limit: ROOM, cost, howToWrite: null, mostButtons: MAX_BUTTONS };
  const { text, buttons } = bodyWithQuestion(message, room);
  const usual = slackMessage(content, resolution?.why ?? null);
  const isAsked = question !== null && question.kind !== 'text';
  const plain = isAsked ? [] : plainButtons(message);
  const elements = [
    ...buttons.map(answerButton),
    ...plain.map(({ label, reference }, at) =>
      buttonOf(label, reference, reference === message.acknowledgeWith ? ACKNOWLEDGE : `${GO_ON}_${at}`),
    ),
  ];
  const actions: ActionsBlock[] = elements.length === 0 ? [] : [{ type: 'actions', elements }];
  if (!isAsked) return { ...usual, blocks: [...usual.blocks, ...actions], attachments: usual.attachments ?? [] };
  const [header] = usual.blocks;
  const asked: KnownBlock[] = [
    { type: 'section', text: { type: 'plain_text', text: escapeXml(text) || '-', emoji: false } },
  ];
  const title = escapeXml(oneLine(content.title) || 'Belfry');
  return { ...usual, text: title, blocks: [...(header ? [header] : []), ...asked, ...actions], attachments: [] };
}

function answerButton({ says, label, reference }: AnswerButton, at: number): Button {
  return { ...buttonOf(label, reference, `${says === 'text' ? WORDS : ANSWER}_${at}`), ...STYLES[says] };
}

function buttonOf(label: string, value: string, id: string): Button {
  const words = escapeXml(cutGraphemes(oneLine(label), LABEL, (part) => escapeXml(part).length)) || '-';
  return { type: 'button', action_id: id, text: { type: 'plain_text', text: words, emoji: false }, value };
}

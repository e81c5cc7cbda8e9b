// What the app posts: the same as an incoming webhook, with a button where somebody listens.
import type { ActionsBlock } from '@slack/types';
import type { OutgoingMessage } from '../../model/channel.ts';
import { slackMessage } from '../shared/slack-message.ts';

/** Of the button; nobody else's buttons are listened to. */
export const ACKNOWLEDGE = 'belfry_acknowledge';

/** For chat.postMessage and chat.update; both replace all that was there. */
export function appMessage({ content, resolution, acknowledgeWith }: OutgoingMessage): Record<string, unknown> {
  const { blocks, attachments = [], ...rest } = slackMessage(content, resolution?.why ?? null);
  const button = resolution === null && acknowledgeWith !== null ? [buttonOf(acknowledgeWith)] : [];
  return { ...rest, blocks: [...blocks, ...button], attachments };
}

function buttonOf(value: string): ActionsBlock {
  const text = { type: 'plain_text', text: 'Got it', emoji: false } as const;
  return { type: 'actions', elements: [{ type: 'button', action_id: ACKNOWLEDGE, text, value }] };
}

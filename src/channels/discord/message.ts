// A notification as a Discord embed, within the documented limits (docs.discord.com, "Embed Limits").
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { isoTime } from '../shared/event-document.ts';
import { shownBody } from '../shared/shown-body.ts';
import { sessionQuotes } from '../shared/readable-body.ts';
import { markdownText } from './markdown.ts';

/** Documented lengths, in characters. */
const TITLE = 256;
const DESCRIPTION = 4_096;
const THREAD_NAME = 100;
/** Shorter than documented, so that an embed never reaches 6,000 in sum. */
const QUOTE = 400;
const MOST_QUOTES = 3;
const FOOTER = 200;

const COLOURS = { urgent: 0xd92d20, normal: 0x4f6bed, low: 0x98a2b3, resolved: 0x98a2b3 } as const;
/** Arrives without a sound. */
const SUPPRESS_NOTIFICATIONS = 1 << 12;

/** The body of a request that creates a message. */
export function newMessage(message: OutgoingMessage): Record<string, unknown> {
  const isSilent = message.content.urgency === 'low' && !message.content.abnormal;
  return { ...changedMessage(message), ...(isSilent ? { flags: SUPPRESS_NOTIFICATIONS } : {}) };
}

/** The body of a request that changes one. Nobody is ever mentioned. */
export function changedMessage({ content, resolution }: OutgoingMessage): Record<string, unknown> {
  const { event, abnormal, urgency } = content;
  const description = shownBody({ content, resolution });
  const footer = cutGraphemes([event.host, event.branch ?? ''].map(oneLine).filter(Boolean).join(' · '), FOOTER);
  const fields = sessionQuotes(content, MOST_QUOTES).map(({ who, text }) => ({
    name: who,
    value: markdownText(text, QUOTE),
  }));
  const embed = {
    title: markdownText(oneLine(content.title) || 'Belfry', TITLE),
    color: COLOURS[resolution !== null ? 'resolved' : abnormal ? 'urgent' : urgency],
    timestamp: isoTime(event.at),
    ...(description === '' ? {} : { description: markdownText(description, DESCRIPTION) }),
    ...(footer === '' ? {} : { footer: { text: footer } }),
    ...(fields.length === 0 ? {} : { fields }),
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}

/** What a session's thread is called. */
export function threadName({ event, title }: NotificationContent): string {
  const branch = event.branch === null ? '' : ` (${event.branch})`;
  const name = event.project === null ? title : `${event.project}${branch}`;
  return cutGraphemes(oneLine(name), THREAD_NAME) || 'Belfry';
}

// The latest messages of a session that a notification's body does not say already, for channels that show them below it.
import { stripMarkdown } from '../../lib/text/markdown.ts';
import { oneLine } from '../../lib/text/text.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { readableBody } from './readable-body.ts';

/** One message, on one line. */
export interface SessionQuote {
  readonly who: 'You' | 'Agent';
  readonly text: string;
}

/** How much of a message has to stand in the body to be said already, characters. */
const ALIKE = 80;

/** Oldest first, `most` at most. */
export function sessionQuotes(content: NotificationContent, most: number): SessionQuote[] {
  const said = oneLine(readableBody(content));
  return content.context.messages
    .map((m) => ({
      who: m.role === 'user' ? ('You' as const) : ('Agent' as const),
      text: oneLine(stripMarkdown(m.text)),
    }))
    .filter(({ text }) => text !== '' && !said.includes(text.slice(0, ALIKE)))
    .slice(-most);
}

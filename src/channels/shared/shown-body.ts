// The body that people see: plain, and first of all why it needs nobody any more.
import { oneLine, plainText } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';

/** May be empty. */
export function shownBody({ content, resolution }: Pick<OutgoingMessage, 'content' | 'resolution'>): string {
  const body = plainText(content.body).trim();
  const why = resolution === null ? '' : `✓ ${oneLine(resolution.why)}`;
  return [why, body].filter((part) => part !== '').join('\n');
}

// The body as people read it: no Markdown where it is shown as it stands, few lines where there is little room, and the session's latest messages below.
import { stripMarkdown } from '../../lib/text/markdown.ts';
import { oneLine, plainText, sanitizeLine } from '../../lib/text/text.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';

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

/** Prose of agents is Markdown; commands, and texts that a sender gave, are not. */
function isMarkdown({ event }: NotificationContent): boolean {
  return event.presetText === null && event.detail !== 'permission';
}

/** The whole body as plain text. `withBranch` false: without its last line, where the branch stands in a field of its own. */
export function readableBody(content: NotificationContent, withBranch = true): string {
  const { branch } = content.event;
  const lines = plainText(content.body).trim().split('\n');
  if (!withBranch && branch !== null && lines.at(-1) === `On ${sanitizeLine(branch, 120)}`) lines.pop();
  const text = lines.join('\n');
  return (isMarkdown(content) ? stripMarkdown(text) : text).replace(/\n{3,10}/g, '\n\n').trim();
}

/** Characters that a line holds on the usual small display. */
const WIDTH = 60;

/** The beginning of the body on at most `most` lines of a small display, ending after a sentence where one ends in time. */
export function briefBody(content: NotificationContent, most = 4): string {
  const all = readableBody(content)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const lines: string[] = [];
  let rows = most;
  for (const line of all) {
    const needed = Math.ceil(line.length / WIDTH);
    if (needed > rows) {
      if (rows > 0) lines.push(firstSentences(line, rows * WIDTH));
      else if (lines.length > 0) lines.push(`${(lines.pop() ?? '').replace(/[.:,;…]$/, '')}…`);
      break;
    }
    lines.push(line);
    rows -= needed;
  }
  return lines.join('\n');
}

/** Whole sentences when they fill at least half of the room, else as many words as fit. */
function firstSentences(line: string, room: number): string {
  const start = line.slice(0, room);
  const end = Math.max(...['. ', '! ', '? '].map((mark) => start.lastIndexOf(mark)));
  return end >= room / 2 ? start.slice(0, end + 1) : sanitizeLine(line, room);
}

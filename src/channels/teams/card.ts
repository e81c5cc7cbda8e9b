// A notification as an Adaptive Card 1.4 (adaptivecards.io/explorer). Its texts are runs, in which Markdown and HTML are shown as they stand.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import { sessionQuotes } from '../shared/readable-body.ts';
import { shownBody } from '../shared/shown-body.ts';

/** A workflow takes about 28 KB; this much of each text, in bytes of JSON. */
const TITLE = 500;
const BODY = 16_000;
const QUOTE = 1_000;
const FOOTER = 400;
const MOST_QUOTES = 3;
/** Each is an element of its own. */
const MOST_LINES = 60;

type Run = Readonly<Record<string, string | boolean>>;
type Block = Readonly<Record<string, unknown>>;

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
/** `{{DATE(...)}}` and `{{TIME(...)}}` would be replaced. */
const inert = (text: string): string => text.replace(/\{(?=\{)/g, '{\u200b');
/** Cut by the longest that it can become. */
const cut = (text: string, bytes: number): string =>
  inert(cutGraphemes(text, bytes, (part) => jsonBytes(part) + 3 * (part.match(/\{/g)?.length ?? 0)));

const block = (runs: readonly Run[], more: Block = {}): Block => ({
  type: 'RichTextBlock',
  ...more,
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});

/** The body of the request. */
export function teamsMessage(message: OutgoingMessage): Record<string, unknown> {
  const { content, resolution } = message;
  const { event, abnormal, urgency } = content;
  const isRed = resolution === null && (abnormal || urgency === 'urgent');
  const title = cut(oneLine(content.title) || 'Belfry', TITLE);
  const footer = cut([event.host, event.branch ?? ''].map(oneLine).filter(Boolean).join(' · '), FOOTER);
  const body = [
    block([{ text: title, weight: 'Bolder', size: 'Medium', color: isRed ? 'Attention' : 'Default' }]),
    ...linesOf(cut(shownBody(message), BODY)).map((text) => block([{ text }], { spacing: 'Small' })),
    ...sessionQuotes(content, MOST_QUOTES).map(({ who, text }) =>
      block([
        { text: `${who}: `, weight: 'Bolder', isSubtle: true },
        { text: cut(text, QUOTE) || '-', isSubtle: true },
      ]),
    ),
    ...(footer === '' ? [] : [block([{ text: footer, size: 'Small', isSubtle: true }])]),
  ];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    msteams: { width: 'Full' },
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card };
  return { type: 'message', attachments: [attachment] };
}

/** Not all clients break lines within a run, so each is a block; what is too many is on the last. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return [...lines.slice(0, MOST_LINES - 1), lines.slice(MOST_LINES - 1).join(' ')].filter((line) => line !== '');
}

// What Slack is sent, by an incoming webhook and by an app: Block Kit within its documented limits (docs.slack.dev, "Block Kit").
import type { KnownBlock, PlainTextElement } from '@slack/types';
import { cutGraphemes, escapeXml, oneLine } from '../../lib/text/text.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { formatElapsed } from '../../model/quantities.ts';
import { readableBody } from './readable-body.ts';
import { sessionQuotes } from './session-quotes.ts';

/** Documented lengths, in characters. */
const HEADER = 150;
const SECTION = 3000;
const FALLBACK = 3000;
const QUOTE = 600;
const FIELD = 300;
const MOST_QUOTES = 5;

/** The JSON document; fields that say that nothing in it is markup are among the rest. */
export interface SlackMessage extends Record<string, unknown> {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  readonly attachments?: readonly { readonly color: string; readonly blocks: readonly KnownBlock[] }[];
}

/** Plain text everywhere: nothing in it is markup, a mention or an emoji name. `why`: it needs nobody any more, and stands above the body. */
export function slackMessage(n: NotificationContent, why: string | null = null): SlackMessage {
  const title = oneLine(n.title) || 'Belfry';
  const body = [...(why === null ? [] : [`✓ ${oneLine(why)}`]), readableBody(n, false)].filter(Boolean).join('\n');
  const header: KnownBlock = { type: 'header', text: textOf(title, HEADER) };
  const rest: KnownBlock[] = body === '' ? [] : [{ type: 'section', text: textOf(body, SECTION) }];
  const facts = fieldsOf(n);
  if (facts.length > 0) rest.push({ type: 'section', fields: facts.map((fact) => textOf(fact, FIELD)) });
  for (const { who, text } of sessionQuotes(n, MOST_QUOTES))
    rest.push({ type: 'context', elements: [textOf(`${who}: ${text}`, QUOTE)] });
  return {
    text: escaped(body === '' ? title : `${title}\n${body}`, FALLBACK),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    ...(n.abnormal && why === null
      ? { blocks: [header], attachments: [{ color: '#d92d20', blocks: rest.length > 0 ? rest : [footer(n)] }] }
      : { blocks: [header, ...rest] }),
  };
}

/** Who and where, for agents' events: two columns of "name: value". Nothing where the channel's level leaves only the title. */
function fieldsOf({ event }: NotificationContent): string[] {
  const seconds = event.attributes['seconds'];
  const facts: readonly (readonly [string, string | null])[] = [
    ['Project', event.project],
    ['Branch', event.branch],
    ['Folder', event.cwd],
    ['Duration', typeof seconds === 'number' ? formatElapsed(seconds) : null],
  ];
  const known = facts.filter(([, value]) => value !== null && oneLine(value) !== '');
  if (known.length === 0 || event.presetText !== null) return [];
  return [['Agent', event.agent] as const, ...known].map(([name, value]) => `${name}: ${oneLine(value ?? '')}`);
}

function footer(n: NotificationContent): KnownBlock {
  return { type: 'context', elements: [textOf(oneLine(n.event.reason ?? n.event.detail ?? '') || 'abnormal', QUOTE)] };
}

function textOf(text: string, limit: number): PlainTextElement {
  return { type: 'plain_text', text: escaped(text, limit), emoji: false };
}

/** `&`, `<` and `>` in that order; cut so that no entity and no grapheme is split. */
function escaped(text: string, limit: number): string {
  return escapeXml(cutGraphemes(text, limit, (part) => escapeXml(part).length));
}

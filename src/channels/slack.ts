// Slack: an incoming webhook with Block Kit (docs.slack.dev, "Sending messages using incoming webhooks").
import type { KnownBlock, PlainTextElement } from '@slack/types';
import * as z from 'zod';
import { checkUrl } from '../lib/check-url.ts';
import type { HttpResult } from '../lib/http.ts';
import { asObject, parseJson } from '../lib/json.ts';
import { ALWAYS_RUN, urlRefinement } from '../lib/outbound-url-schema.ts';
import { cutGraphemes, escapeXml, oneLine } from '../lib/text.ts';
import { defineChannel } from '../model/channel.ts';
import type { Outcome, Reason } from '../model/delivery.ts';
import type { NotificationContent } from '../model/notification.ts';
import { classifyResponse } from '../model/outcome.ts';
import { formatElapsed } from '../model/quantities.ts';
import { httpChannel } from './shared/http-channel.ts';
import { sessionQuotes } from './shared/session-quotes.ts';
import { readableBody } from './shared/readable.ts';

const schema = z
  .strictObject({ url: z.string().min(1).meta({ secret: true }).describe('URL of the incoming webhook (a secret).') })
  .superRefine(urlRefinement(true), ALWAYS_RUN);

/** Documented lengths, in characters. */
const HEADER = 150;
const SECTION = 3000;
const FALLBACK = 3000;
const QUOTE = 600;
const FIELD = 300;
const MOST_QUOTES = 5;

/** Answers that concern the channel rather than one message; the rest goes by the status. */
const WORDS: Readonly<Record<string, Reason>> = {
  no_service: 'invalid-config',
  no_service_id: 'invalid-config',
  no_team: 'invalid-config',
  team_disabled: 'invalid-config',
  channel_not_found: 'invalid-config',
  channel_is_archived: 'invalid-config',
  user_not_found: 'invalid-config',
  action_prohibited: 'auth',
  posting_to_general_channel_denied: 'auth',
  invalid_auth: 'auth',
  invalid_token: 'auth',
  not_authed: 'auth',
  account_inactive: 'auth',
  token_revoked: 'auth',
  invalid_payload: 'client',
  invalid_blocks: 'client',
  no_text: 'client',
  too_many_attachments: 'client',
  rollup_error: 'server',
  rate_limited: 'rate-limited',
  ratelimited: 'rate-limited',
};

export const slack = defineChannel({
  type: 'slack',
  schema,
  audience: 'people',
  capabilities: {}, // an incoming webhook neither changes nor removes what it posted
  onResolved: 'keep',
  limits: () => ({ concurrency: 1, minIntervalMs: 1_000, timeoutMs: 10_000 }),
  open: (settings, tools) =>
    httpChannel({
      settings,
      tools,
      request: ({ content }) => ({
        method: 'POST',
        url: settings.url,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(slackMessage(content)),
      }),
      classify,
    }),
  check: (settings, { signal }) => checkUrl(settings.url, settings.allow_private, signal),
  defaultSettings: null,
  setup: {
    intro: ['In Slack, create an app with an incoming webhook: https://api.slack.com/apps, then "Incoming Webhooks".'],
    questions: [{ key: 'url', ask: 'Webhook URL', help: 'It begins with https://hooks.slack.com/services/.' }],
  },
  docs: {
    summary: 'Posts to a Slack incoming webhook; abnormal ends have a red bar',
    example: 'type = "slack"\nurl = "env:SLACK_WEBHOOK_URL"',
  },
});

/** Slack's own error word goes before the status. */
function classify(end: HttpResult): Outcome {
  const word = end.kind === 'answer' ? wordOf(end.body) : null;
  const outcome = classifyResponse(end, word === null ? undefined : WORDS[word]);
  return outcome.ok || word === null ? outcome : { ...outcome, error: `${outcome.error} (${word})` };
}

/** Plain text everywhere: nothing in it is markup, a mention or an emoji name. */
export function slackMessage(n: NotificationContent): Record<string, unknown> {
  const title = oneLine(n.title) || 'Belfry';
  const body = readableBody(n, false);
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
    ...(n.abnormal
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

/** The error code of an answer: bare, or as `{"ok":false,"error":WORD}`. */
function wordOf(body: string): string | null {
  const text = body.trim();
  if (/^[a-z_]{2,60}$/.test(text)) return text === 'ok' ? null : text;
  const { ok, error } = asObject(parseJson(text)); // nothing in a proxy's page or an empty answer: the status decides
  return ok === false && typeof error === 'string' && /^[a-z_]{2,60}$/.test(error) ? error : null;
}

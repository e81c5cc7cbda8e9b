// What Slack is sent, by an incoming webhook and by an app: Block Kit within its documented limits (docs.slack.dev, "Block Kit").
import type { KnownBlock, PlainTextElement } from '@slack/types';
import { cutGraphemes, escapeXml, oneLine } from '../../lib/text/text.ts';
import { failureWords } from '../../model/session/stop-causes.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { formatElapsed } from '../../model/quantities.ts';
import { readableBody, sessionQuotes } from './readable-body.ts';
import { asObject, parseJson } from '../../lib/json/json.ts';
import type { Reason } from '../../model/delivery/delivery.ts';

/** Words by what they concern; a word that is not among them goes by the status. */
const WORDS: Readonly<Record<Exclude<Reason, 'network'>, string>> = {
  auth: `invalid_auth invalid_token not_authed account_inactive token_revoked token_expired not_allowed_token_type missing_scope
    no_permission access_denied ekm_access_denied team_access_not_granted org_login_required two_factor_setup_required
    action_prohibited posting_to_general_channel_denied restricted_action restricted_action_read_only_channel
    restricted_action_thread_only_channel restricted_action_non_threadable_channel`,
  'invalid-config': `no_service no_service_id no_team team_disabled channel_not_found channel_is_archived is_archived not_in_channel
    user_not_found users_not_found user_disabled user_not_visible cannot_dm_bot messages_tab_disabled unknown_method
    method_deprecated deprecated_endpoint enterprise_is_restricted`,
  client: `invalid_payload invalid_blocks invalid_blocks_format invalid_attachments no_text msg_too_long msg_blocks_too_long
    too_many_attachments attachment_payload_limit_exceeded invalid_arguments invalid_arg_name invalid_charset message_not_found
    cant_update_message cant_delete_message edit_window_closed cannot_reply_to_message thread_not_found invalid_thread_ts`,
  server: 'rollup_error fatal_error internal_error service_unavailable team_added_to_org',
  timeout: 'request_timeout',
  'rate-limited': 'rate_limited ratelimited',
  quota: 'message_limit_exceeded',
};
const REASON_OF = new Map(
  Object.entries(WORDS).flatMap(([reason, words]) =>
    words.split(/\s+/).map((word) => [word, reason as Reason] as const),
  ),
);

/** Why a word refuses; undefined: it is not known. */
export const slackReason = (word: string): Reason | undefined => REASON_OF.get(word);

/** The error code of an answer: bare, or as `{"ok":false,"error":WORD}`. */
export function errorWordOf(body: string): string | null {
  const text = body.trim();
  if (/^[a-z_]{2,60}$/.test(text)) return text === 'ok' ? null : text;
  const { ok, error } = asObject(parseJson(text)); // nothing in a proxy's page or an empty answer: the status decides
  return ok === false && typeof error === 'string' && /^[a-z_]{2,60}$/.test(error) ? error : null;
}

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
  const why = n.event.reason ?? failureWords(n.event) ?? n.event.detail ?? '';
  return { type: 'context', elements: [textOf(oneLine(why) || 'abnormal', QUOTE)] };
}

function textOf(text: string, limit: number): PlainTextElement {
  return { type: 'plain_text', text: escaped(text, limit), emoji: false };
}

/** `&`, `<` and `>` in that order; cut so that no entity and no grapheme is split. */
function escaped(text: string, limit: number): string {
  return escapeXml(cutGraphemes(text, limit, (part) => escapeXml(part).length));
}

// Slack's error words and what they mean: those of incoming webhooks and of the Web API (docs.slack.dev, "Handling errors", each method's "Errors").
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

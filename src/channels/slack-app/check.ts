// Checks a Slack app without sending: its tokens, its scopes, and whether it can write where it is to.
import { checkUrl } from '../../lib/net/check-url.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { oneLine } from '../../lib/text/text.ts';
import type { ChannelTools, CheckResult } from '../../model/channel/channel.ts';
import { type Called, callSlack } from './api.ts';
import { createPlaceFinder } from './destination.ts';
import type { SlackAppSettings } from './settings.ts';

const TIMEOUT = 5_000;
const APPS = 'https://api.slack.com/apps';

/** What is wrong; one ok otherwise. */
export async function checkSlackApp(
  settings: SlackAppSettings,
  { signal, now }: ChannelTools & { readonly signal: AbortSignal },
): Promise<CheckResult[]> {
  const address = await checkUrl(settings.api_url, settings.allow_private, signal, '`api_url` in config.toml');
  if (address.some(({ level }) => level === 'fail')) return address;
  const warnings = address.filter(({ level }) => level === 'warn');
  const bounds = { timeout: TIMEOUT, signal, now };
  const me = await callSlack(settings, 'auth.test', {}, bounds);
  if (!me.ok) return [failed(me), ...warnings];
  const missing = missingScopes(settings, me.scopes);
  if (missing.length > 0) {
    const fix = `add them at ${APPS} under "OAuth & Permissions" and install the app again`;
    return [{ level: 'fail', text: `the app lacks the scopes ${missing.join(', ')}`, fix }, ...warnings];
  }
  const place = await createPlaceFinder(settings)(bounds);
  if ('ok' in place) return [failed(place), ...warnings];
  const faults = [...(await seen(place.channel, settings, bounds)), ...(await listening(settings, bounds))];
  if (faults.some(({ level }) => level === 'fail')) return [...faults, ...warnings];
  return [{ level: 'ok', text: `${nameOf(me.answer)} can write there` }, ...faults, ...warnings];
}

function nameOf({ user, team }: JsonObject): string {
  return [user, team].flatMap((part) => (typeof part === 'string' ? [oneLine(part)] : [])).join(' in ') || 'the app';
}

function failed({ outcome }: Extract<Called, { ok: false }>): CheckResult {
  const isOurs = outcome.reason === 'auth' || outcome.reason === 'invalid-config' || outcome.reason === 'client';
  const fix = isOurs ? `correct it at ${APPS} or in config.toml` : 'check the network and `api_url`';
  return { level: 'fail', text: outcome.error, fix };
}

/** Null: the server does not say which it has. */
function missingScopes({ dm }: SlackAppSettings, has: readonly string[] | null): readonly string[] {
  const needed = ['chat:write', ...(dm === undefined ? [] : ['users:read', 'users:read.email', 'im:write'])];
  return has === null ? [] : needed.filter((scope) => !has.includes(scope));
}

/** Whether the app is in the channel; an app without the scope to look cannot know. */
async function seen(
  channel: string,
  settings: SlackAppSettings,
  bounds: Parameters<typeof callSlack>[3],
): Promise<CheckResult[]> {
  const called = await callSlack(settings, 'conversations.info', { channel }, { ...bounds, form: true });
  if (!called.ok) return called.word === 'missing_scope' ? [] : [failed(called)];
  const { is_member: isMember, is_im: isIm, is_archived: isArchived, name } = asObject(called.answer['channel']);
  const where = typeof name === 'string' ? `#${oneLine(name)}` : 'the channel';
  if (isArchived === true)
    return [{ level: 'fail', text: `${where} is archived`, fix: 'set another `channel` in config.toml' }];
  if (isMember !== false || isIm === true) return [];
  return [{ level: 'fail', text: `the app is not in ${where}`, fix: 'write /invite and its name in the channel' }];
}

/** Whether buttons can work. */
async function listening(settings: SlackAppSettings, bounds: Parameters<typeof callSlack>[3]): Promise<CheckResult[]> {
  if (settings.app_token === undefined) return [];
  const called = await callSlack({ ...settings, token: settings.app_token }, 'apps.connections.open', {}, bounds);
  if (called.ok) return [];
  const fix = `at ${APPS}, switch on Socket Mode and make an app-level token with the scope connections:write`;
  return [{ level: 'fail', text: `buttons do not work: ${called.outcome.error}`, fix }];
}

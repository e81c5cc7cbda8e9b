// Checks a Pushover channel without sending: the address, and whether Pushover knows token and user (pushover.net/api, "User/Group Validation").
import { checkUrl } from '../../lib/net/check-url.ts';
import { sendRequest } from '../../lib/net/http.ts';
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel/channel.ts';
import { classifyPushover } from './response-outcome.ts';
import type { PushoverSettings } from './settings.ts';

const TIMEOUT = 5_000;

/** What is wrong. */
export async function checkPushover(
  { api_url: api, token, user, allow_private: allowPrivate }: PushoverSettings,
  { signal, now }: ChannelTools & Pick<SendContext, 'signal'>,
): Promise<CheckResult[]> {
  const address = await checkUrl(api, allowPrivate, signal, '`api_url` in config.toml');
  if (address.some(({ level }) => level === 'fail')) return address;
  const end = await sendRequest({
    method: 'POST',
    url: `${api}/users/validate.json`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, user }).toString(),
    timeout: TIMEOUT,
    allowPrivate,
    signal,
    now,
  });
  const outcome = classifyPushover(end, now());
  const warnings = address.filter(({ level }) => level === 'warn');
  if (outcome.ok) return [{ level: 'ok', text: 'Pushover knows the token and the user' }, ...warnings];
  const fix =
    outcome.reason === 'auth' || outcome.reason === 'client'
      ? 'copy the token of the application and your user key again'
      : 'check `api_url` in config.toml and the network';
  return [{ level: 'fail', text: outcome.error, fix }, ...warnings];
}

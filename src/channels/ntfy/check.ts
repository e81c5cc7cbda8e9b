// Checks an ntfy channel without publishing: the server's address, whether it is ntfy, the account and what is left of its day.
import { checkUrl } from '../../lib/net/check-url.ts';
import { sendRequest } from '../../lib/net/http.ts';
import { asObject, isObject, parseJson } from '../../lib/json/json.ts';
import type { ChannelTools, CheckResult } from '../../model/channel/channel.ts';
import type { NtfySettings } from './settings.ts';
import { classifyNtfy } from './response-outcome.ts';
import { authorization } from './credentials.ts';

const TIMEOUT = 5_000;
/** A shorter topic that anybody may read can be guessed. */
const LONG_TOPIC = 12;

type CheckTools = ChannelTools & { readonly signal: AbortSignal };

/** What is wrong, and how much may still be sent today. */
export async function checkNtfy(settings: NtfySettings, tools: CheckTools): Promise<CheckResult[]> {
  const address = await checkUrl(settings.server, settings.allow_private, tools.signal, '`server` in config.toml');
  if (address.some(({ level }) => level === 'fail')) return address;
  const warnings = address.filter(({ level }) => level === 'warn');
  const isOpen = settings.token === undefined && settings.user === undefined;
  if (isOpen && settings.topic.length < LONG_TOPIC)
    warnings.push({
      level: 'warn',
      text: 'its topic is short, and anybody who guesses it can read it',
      fix: 'use a long random topic, or a protected one with a token',
    });
  return [await account(settings, tools), ...warnings];
}

async function account(settings: NtfySettings, { signal, now }: CheckTools): Promise<CheckResult> {
  const ask = (path: string, headers: Record<string, string>) =>
    sendRequest({
      method: 'GET',
      url: `${settings.server}${path}`,
      headers,
      timeout: TIMEOUT,
      allowPrivate: settings.allow_private,
      signal,
      now,
    });
  const host = new URL(settings.server).host;
  const end = await ask('/v1/account', authorization(settings));
  if (end.kind === 'answer' && end.status === 404) {
    const health = await ask('/v1/health', {});
    const isNtfy = health.kind === 'answer' && asObject(parseJson(health.body))['healthy'] === true;
    if (isNtfy) return { level: 'ok', text: `${host} is an ntfy server; too old to check the account` };
  }
  const outcome = classifyNtfy(end);
  if (!outcome.ok) return failed(outcome.reason, outcome.error, host);
  const { stats, limits } = asObject(end.kind === 'answer' ? parseJson(end.body) : null);
  if (!isObject(stats) && !isObject(limits))
    return { level: 'fail', text: `${host} does not answer as ntfy does`, fix: 'correct `server` in config.toml' };
  const { messages_remaining: left } = asObject(stats);
  const { messages: quota } = asObject(limits);
  if (typeof left !== 'number' || typeof quota !== 'number' || quota <= 0)
    return { level: 'ok', text: `${host} accepts this account` };
  const text = `${left} of ${quota} messages are left for today at ${host}`;
  return left > 0
    ? { level: 'ok', text }
    : { level: 'warn', text, fix: 'it accepts more after 00:00 UTC; a paid plan or your own server allows more' };
}

function failed(reason: string, error: string, host: string): CheckResult {
  if (reason === 'auth')
    return { level: 'fail', text: `${host} refuses the account`, fix: 'check token, or user and password' };
  if (reason === 'rate-limited') return { level: 'warn', text: `${host}: ${error}`, fix: 'try again in some minutes' };
  return { level: 'fail', text: error, fix: 'check `server` in config.toml and the network' };
}

// Checks a Telegram channel without sending: the bot, the chat, and what would keep answers from arriving.
import { checkUrl } from '../../lib/net/check-url.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { oneLine } from '../../lib/text/text.ts';
import type { ChannelTools, CheckResult } from '../../model/channel/channel.ts';
import { callTelegram, type Called } from './api.ts';
import type { TelegramSettings } from './settings.ts';

const TIMEOUT = 3_000;

/** What is wrong; one ok otherwise. */
export async function checkTelegram(
  settings: TelegramSettings,
  { signal, now }: ChannelTools & { readonly signal: AbortSignal },
): Promise<CheckResult[]> {
  const address = await checkUrl(settings.api_url, settings.allow_private, signal, '`api_url` in config.toml');
  if (address.some(({ level }) => level === 'fail')) return address;
  const found = address.filter(({ level }) => level === 'warn');
  const call = (method: string, params: JsonObject): Promise<Called> =>
    callTelegram(settings, method, params, { timeout: TIMEOUT, signal, now });
  const me = await call('getMe', {});
  if (!me.ok) return [failedBot(me), ...found];
  const bot = String(asObject(me.result)['username'] ?? 'the bot');
  const chat = await call('getChat', { chat_id: settings.chat });
  if (!chat.ok) return [failedChat(chat, bot), ...found];
  const { is_forum: isForum, title } = asObject(chat.result);
  if (settings.thread !== undefined && isForum !== true)
    found.push({
      level: 'warn',
      text: 'the chat has no topics, so `thread` cannot be used',
      fix: 'switch topics on in the group, or remove `thread`',
    });
  if (settings.allow !== undefined) found.push(...(await webhookSet(call)));
  const name = typeof title === 'string' ? ` in ${oneLine(title)}` : '';
  return [{ level: 'ok', text: `@${bot} can see the chat${name}` }, ...found];
}

function failedBot({ outcome }: Extract<Called, { ok: false }>): CheckResult {
  const isAuth = outcome.reason === 'auth' || outcome.reason === 'invalid-config';
  const fix = isAuth ? 'get the token from @BotFather and store it again' : 'check the network and `api_url`';
  return { level: 'fail', text: outcome.error, fix };
}

function failedChat({ outcome, movedTo }: Extract<Called, { ok: false }>, bot: string): CheckResult {
  if (movedTo !== null)
    return { level: 'warn', text: 'the group has become a supergroup', fix: `set chat = ${movedTo} in config.toml` };
  return {
    level: 'fail',
    text: outcome.error,
    fix: `write to @${bot} or add it to the group, then run \`belfry channel add\` again`,
  };
}

/** Another program gets what people answer. */
async function webhookSet(call: (method: string, params: JsonObject) => Promise<Called>): Promise<CheckResult[]> {
  const info = await call('getWebhookInfo', {});
  const url = info.ok ? asObject(info.result)['url'] : '';
  if (typeof url !== 'string' || url === '') return [];
  const fix = 'make a bot of its own for Belfry with @BotFather';
  return [{ level: 'warn', text: 'a webhook is set for this bot, so Belfry cannot receive answers', fix }];
}

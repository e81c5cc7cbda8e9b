// Hands over what allowed people answer: buttons they press and replies they write.
import { sleep, systemClock } from '../../lib/clock.ts';
import type { ReceiveOptions } from '../../model/channel/channel.ts';
import { callTelegram } from './api.ts';
import type { TelegramSettings } from './settings.ts';
import { conflictOf, nextUpdates, type TelegramPerson, type TelegramUpdate } from './updates.ts';

/** Ms before the next try: after a fault, and after a refusal or another program's turn. */
const AFTER_FAULT = 5_000;
const AFTER_REFUSAL = 60_000;
/** Longest line that Telegram shows over a button, characters. */
const TOAST = 200;

/** Ends when the signal fires, and after a refusal that no wait can change. */
export async function receiveAnswers(settings: TelegramSettings, options: ReceiveOptions): Promise<void> {
  const { signal, now, log } = options;
  let offset = 0;
  while (!signal.aborted) {
    const next = await nextUpdates(settings, offset, { signal, now });
    if ('updates' in next) {
      for (const update of next.updates)
        await handle(settings, update, options).catch((error: unknown) => {
          log('telegram: an answer could not be taken', { error: error instanceof Error ? error.name : typeof error });
        });
      offset = next.offset;
      continue;
    }
    if (signal.aborted) return;
    const { reason, error, retryAfter } = next.outcome;
    log('telegram: cannot receive answers', { error: conflictOf(next) ?? error });
    if (reason === 'auth' || reason === 'invalid-config') return;
    const pause = retryAfter ?? (next.outcome.status === 409 ? AFTER_REFUSAL : AFTER_FAULT);
    await sleep(pause, systemClock, signal);
  }
}

async function handle(settings: TelegramSettings, update: TelegramUpdate, options: ReceiveOptions): Promise<void> {
  const { callback_query: pressed, message: written } = update;
  const from = pressed?.from ?? written?.from;
  if (!from || !settings.allow?.includes(from.id)) return; // strangers get no answer at all
  const by = { id: String(from.id), name: nameOf(from) };
  if (pressed?.data !== undefined) {
    const text = await options.on({ reference: pressed.data, replyTo: null, text: null, by, at: options.now() });
    await call(settings, 'answerCallbackQuery', { callback_query_id: pressed.id, text: text.slice(0, TOAST) }, options);
  } else if (written?.reply_to_message && written.text !== undefined) {
    if (written.reply_to_message.from?.id !== botOf(settings)) return; // people answer each other, too
    const { chat, reply_to_message: to, text, date } = written;
    const replyTo = { chat: chat.id, message: to.message_id };
    const line = await options.on({ reference: null, replyTo, text, by, at: date * 1_000 });
    const reply = { message_id: written.message_id, allow_sending_without_reply: true };
    await call(
      settings,
      'sendMessage',
      { chat_id: chat.id, text: line.slice(0, 4_096), reply_parameters: reply },
      options,
    );
  }
}

async function call(
  settings: TelegramSettings,
  method: string,
  params: object,
  options: ReceiveOptions,
): Promise<void> {
  const { signal, now, log } = options;
  const called = await callTelegram(settings, method, { ...params }, { timeout: 10_000, signal, now });
  if (!called.ok) log('telegram: a person could not be answered', { error: called.outcome.error });
}

/** The bot's own number, which its token begins with. */
const botOf = ({ token }: Pick<TelegramSettings, 'token'>): number => Number(token.split(':')[0]);

/** As people know them. */
export function nameOf({ first_name: first, username, id }: TelegramPerson): string {
  return username === undefined ? first || String(id) : `@${username}`;
}

// Pairing: whoever sends the code to the bot is who it writes to, and the only one who may answer.
import { randomInt } from 'node:crypto';
import { oneLine } from '../../lib/text/text.ts';
import type { Paired, PairingTools, SetupAnswers } from '../../model/channel/setup.ts';
import { asObject } from '../../lib/json/json.ts';
import { type BotAccess, callTelegram, type Called } from './api.ts';
import { nameOf } from './receive.ts';
import { telegramSchema } from './settings.ts';
import { conflictOf, nextUpdates, type TelegramUpdate } from './updates.ts';

const CODE_LENGTH = 8;
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** Wrong codes after which somebody is guessing. */
const MOST_WRONG = 20;
/** Telegram's own account, which posts for administrators who hide their names. */
const ANONYMOUS = 1087968824;

const failed = (error: string): Paired => ({ ok: false, error });

/** Waits until the code comes, the signal fires or somebody guesses. */
export async function pairTelegram(answers: SetupAnswers, tools: PairingTools): Promise<Paired> {
  const { now, signal, show, showLink } = tools;
  const access: BotAccess = {
    token: String(answers['token'] ?? ''),
    api_url: telegramSchema.shape.api_url.parse(answers['api_url']),
    allow_private: answers['allow_private'] === true,
  };
  const me = await callTelegram(access, 'getMe', {}, { timeout: 10_000, signal, now });
  if (!me.ok) return failed(`Telegram does not accept this bot: ${me.outcome.error}`);
  const bot = String(asObject(me.result)['username'] ?? '');
  const code = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const link = `https://t.me/${bot}?start=${code}`;
  show(`Send this code to @${bot}: ${code}   (or open ${link})`);
  await showLink(link);
  show(`For a group: add @${bot} to it and write there: /pair ${code}`);
  return waitForCode(access, code, tools);
}

async function waitForCode(access: BotAccess, code: string, tools: PairingTools): Promise<Paired> {
  const { now, signal } = tools;
  let offset = 0;
  let wrong = 0;
  while (!signal.aborted) {
    const next = await nextUpdates(access, offset, { signal, now });
    if (!('updates' in next)) return signal.aborted ? late() : failed(faultOf(next));
    offset = next.offset;
    for (const update of next.updates) {
      const found = judge(update, code);
      if (found === 'wrong') wrong++;
      else if (found !== null) {
        // Taken: nobody has to read it again.
        await callTelegram(access, 'getUpdates', { offset, timeout: 0 }, { timeout: 10_000, signal, now });
        return found;
      }
    }
    if (wrong >= MOST_WRONG)
      return failed('too many wrong codes were sent to the bot: try again, with a bot that nobody else knows');
  }
  return late();
}

const late = (): Paired => failed('nobody sent the code in time: run the command again');
const faultOf = (called: Extract<Called, { ok: false }>): string => conflictOf(called) ?? called.outcome.error;

/** Null: nothing that concerns pairing. */
function judge({ message }: TelegramUpdate, code: string): Paired | 'wrong' | null {
  const text = message?.text?.trim().slice(0, 200);
  if (!message || text === undefined) return null;
  const said = /^(?:\/(?:start|pair)(?:@\w{1,64})? )?\s*([A-Za-z0-9]{4,16})$/.exec(text)?.[1];
  if (said === undefined) return null;
  if (said.toUpperCase() !== code) return 'wrong';
  const { from, chat } = message;
  if (!from || from.id === ANONYMOUS)
    return failed(
      'the code came from somebody anonymous, who could not be allowed to answer: send it under your own name',
    );
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  const where = chat.type === 'private' ? '' : ` in ${oneLine(chat.title ?? '') || 'a group'}`;
  return {
    ok: true,
    settings: { chat: chat.id, ...(thread === undefined ? {} : { thread }), allow: [from.id] },
    summary: `Paired with ${oneLine(nameOf(from))}${where}.`,
  };
}

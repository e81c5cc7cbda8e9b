// The bot's messages: sent, edited and deleted, in a topic for each session where that is wanted.
import * as z from 'zod';
import { asObject } from '../../lib/json/json.ts';
import type { ChannelTools, OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import { plainButtons } from '../shared/plain-buttons.ts';
import type { TelegramText } from './message.ts';
import type { TelegramSettings } from './settings.ts';
import { createTopics } from './topics.ts';
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { AnswerButton } from '../../model/question/shown-question.ts';
import { type Called, callTelegram } from './api.ts';

export const receiptSchema = z.object({
  chat: z.union([z.int(), z.string().max(70)]),
  message: z.int().positive(),
  /** The topic that was made for the session. */
  topic: z.int().positive().optional(),
});
/** The topic was deleted or closed; nothing is wrong with the chat. */
const TOPIC_LOST = /thread not found|TOPIC_(?:CLOSED|DELETED|ID_INVALID)/i;

/** Where a message is. */
export type Receipt = z.output<typeof receiptSchema>;

/** Of one bot, in one chat. */
export class Posts {
  readonly #settings: TelegramSettings;
  readonly #log: ChannelTools['log'];
  readonly #chat: Chat;
  readonly #topics = createTopics();

  constructor(settings: TelegramSettings, { log }: Pick<ChannelTools, 'log'>) {
    this.#settings = settings;
    this.#log = log;
    this.#chat = createChat(settings, { log });
  }

  /** A topic that takes nothing any more is replaced once, where it was the session's own; else the message goes to the chat itself. */
  async send(message: OutgoingMessage, text: TelegramText, bounds: CallBounds): Promise<Outcome> {
    const first = await this.#threadOf(message, bounds);
    const posted = await this.#post(message, text, first, bounds);
    if (posted !== 'topic lost') return posted;
    this.#topics.forget(message.threadKey, first);
    const second = this.#settings.thread === 'session' ? await this.#threadOf(message, bounds) : null;
    const again = await this.#post(message, text, second, bounds);
    if (again !== 'topic lost') return again;
    this.#topics.forget(message.threadKey, second);
    const last = await this.#post(message, text, null, bounds);
    if (last === 'topic lost') throw new Error('there is no topic without a topic');
    return last;
  }

  async #post(message: OutgoingMessage, text: TelegramText, thread: number | null, bounds: CallBounds) {
    const params = {
      ...shown(text, message),
      ...(thread === null ? {} : { message_thread_id: thread }),
      disable_notification: message.content.urgency === 'low',
    };
    const called = await this.#chat.call('sendMessage', params, bounds);
    if (!called.ok) {
      const { description, outcome } = called;
      if (thread === null || !TOPIC_LOST.test(description)) return outcome;
      this.#log('telegram: a topic takes no messages any more', { topic: thread, error: outcome.error });
      return 'topic lost' as const;
    }
    const { message_id: id, chat } = asObject(called.result);
    const where = asObject(chat)['id'] ?? this.#chat.id();
    const topic = this.#settings.thread === 'session' && thread !== null ? { topic: thread } : {};
    const receipt = receiptSchema.safeParse({ chat: where, message: id, ...topic }).data;
    const posted: Outcome = { ok: true, status: called.status, ...(receipt === undefined ? {} : { receipt }) };
    return posted;
  }

  async edit(message: OutgoingMessage, text: TelegramText, at: Receipt, bounds: CallBounds): Promise<Outcome> {
    const params = { chat_id: at.chat, message_id: at.message, ...shown(text, message) };
    const called = await this.#chat.call('editMessageText', params, bounds);
    if (called.ok || /message is not modified/i.test(called.description)) return { ok: true, receipt: at };
    // Somebody has deleted it: what is still open is worth another message.
    if (!/message to edit not found|MESSAGE_ID_INVALID/i.test(called.description)) return called.outcome;
    return message.resolution === null ? this.send(message, text, bounds) : { ok: true, receipt: at };
  }

  async remove(at: Receipt, bounds: CallBounds): Promise<Outcome> {
    const called = await this.#chat.call('deleteMessage', { chat_id: at.chat, message_id: at.message }, bounds);
    if (called.ok || /message to delete not found|MESSAGE_ID_INVALID/i.test(called.description)) return { ok: true };
    return called.outcome;
  }

  async #threadOf(message: OutgoingMessage, bounds: CallBounds): Promise<number | null> {
    const { thread } = this.#settings;
    if (thread !== 'session') return thread ?? null;
    const earlier = receiptSchema.safeParse(message.threadReceipt).data;
    const before = String(earlier?.chat) === String(this.#chat.id()) ? earlier?.topic : undefined;
    return this.#topics.of(message, before, (name) => this.#makeTopic(name, bounds));
  }

  async #makeTopic(name: string, bounds: CallBounds): Promise<number | null> {
    const called = await this.#chat.call('createForumTopic', { name }, bounds);
    const id = called.ok ? asObject(called.result)['message_thread_id'] : null;
    if (typeof id === 'number') return id;
    this.#log('telegram: no topic could be made; the message goes to the chat itself', {
      error: called.ok ? 'no number in the answer' : called.outcome.error,
    });
    return null;
  }
}

/** No markup, no previews; buttons where somebody listens. */
function shown({ text, entities, buttons }: TelegramText, message: OutgoingMessage) {
  return { text, entities, link_preview_options: { is_disabled: true }, ...keyboard(message, buttons) };
}

const LABEL = 60;

/** The buttons below a message (core.telegram.org/bots/api, "InlineKeyboardMarkup"). Words are given by a reply, so they need no button. */
function keyboard(message: OutgoingMessage, buttons: readonly AnswerButton[]): { readonly reply_markup?: object } {
  const { question } = message;
  const button = (label: string, data: string): object => ({
    text: cutGraphemes(oneLine(label), LABEL) || '-',
    callback_data: data,
  });
  const pressed = buttons.filter(({ says }) => says !== 'text').map(({ label, reference }) => button(label, reference));
  // Allow and Deny beside each other; an option takes a line.
  const rows = question?.kind === 'permission' ? [pressed] : pressed.map((one) => [one]);
  const isAsked = question !== null && question.kind !== 'text';
  const plain = isAsked ? [] : plainButtons(message).map(({ label, reference }) => [button(label, reference)]);
  const all = [...rows, ...plain].filter((row) => row.length > 0);
  return all.length === 0 ? {} : { reply_markup: { inline_keyboard: all } };
}

/** The chat that messages go to. */
interface Chat {
  /** Where it is now. */
  readonly id: () => TelegramSettings['chat'];
  /** One call to it, repeated once where the chat has moved. */
  readonly call: (method: string, params: object, bounds: CallBounds) => Promise<Called>;
}

/** The one of the settings, followed when its group becomes a supergroup. */
function createChat(settings: TelegramSettings, { log }: Pick<ChannelTools, 'log'>): Chat {
  let chat = settings.chat;
  return {
    id: () => chat,
    call: async (method, params, bounds) => {
      const called = await callTelegram(settings, method, { chat_id: chat, ...params }, bounds);
      if (called.ok || called.movedTo === null || called.movedTo === chat) return called;
      chat = called.movedTo;
      log('telegram: the group has become a supergroup; set `chat` to its new number', { chat });
      return callTelegram(settings, method, { ...params, chat_id: chat }, bounds);
    },
  };
}

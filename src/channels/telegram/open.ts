// Telegram at work: sends, edits and deletes; follows a group that has become a supergroup; a topic for each session where wanted.
import * as z from 'zod';
import { asObject } from '../../lib/json.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel.ts';
import type { Outcome } from '../../model/delivery.ts';
import { asOutcome } from '../shared/as-outcome.ts';
import { createOperations } from '../shared/operations.ts';
import { type CallBounds, type Called, callTelegram } from './api.ts';
import { type TelegramText, telegramText } from './message.ts';
import { receiveAnswers } from './receive.ts';
import type { TelegramSettings } from './settings.ts';
import { createTopics } from './topics.ts';

const receiptSchema = z.object({
  chat: z.union([z.int(), z.string().max(70)]),
  message: z.int().positive(),
  /** The topic that was made for the session. */
  topic: z.int().positive().optional(),
});
type Receipt = z.output<typeof receiptSchema>;

const NO_RECEIPT: Outcome = { ok: false, reason: 'client', error: 'it is not known which message to change' };

/** Opens it; connects to nothing. */
export function openTelegram(settings: TelegramSettings, tools: ChannelTools): OpenChannel {
  const operations = createOperations();
  const topics = createTopics();
  let chat: Receipt['chat'] = settings.chat;

  /** One call to the chat, repeated once where the chat has moved. */
  async function toChat(method: string, params: object, bounds: CallBounds): Promise<Called> {
    const called = await callTelegram(settings, method, { chat_id: chat, ...params }, bounds);
    if (called.ok || called.movedTo === null || called.movedTo === chat) return called;
    chat = called.movedTo;
    tools.log('telegram: the group has become a supergroup; set `chat` to its new number', { chat });
    return callTelegram(settings, method, { ...params, chat_id: chat }, bounds);
  }

  async function threadOf(message: OutgoingMessage, bounds: CallBounds): Promise<number | null> {
    if (settings.thread !== 'session') return settings.thread ?? null;
    const earlier = receiptSchema.safeParse(message.threadReceipt).data;
    const before = String(earlier?.chat) === String(chat) ? earlier?.topic : undefined;
    return topics.of(message, before, async (name) => {
      const called = await toChat('createForumTopic', { name }, bounds);
      const id = called.ok ? asObject(called.result)['message_thread_id'] : null;
      if (typeof id === 'number') return id;
      tools.log('telegram: no topic could be made; the message goes to the chat itself', {
        error: called.ok ? 'no number in the answer' : called.outcome.error,
      });
      return null;
    });
  }

  async function send(message: OutgoingMessage, text: TelegramText, bounds: CallBounds): Promise<Outcome> {
    const thread = await threadOf(message, bounds);
    const params = {
      ...shown(text, message),
      ...(thread === null ? {} : { message_thread_id: thread }),
      disable_notification: message.content.urgency === 'low',
    };
    const called = await toChat('sendMessage', params, bounds);
    if (!called.ok) {
      if (/thread not found|TOPIC_DELETED/i.test(called.description)) topics.forget(message.threadKey, thread);
      return called.outcome;
    }
    const { message_id: id, chat: where } = asObject(called.result);
    const topic = settings.thread === 'session' && thread !== null ? { topic: thread } : {};
    const receipt = receiptSchema.safeParse({ chat: asObject(where)['id'] ?? chat, message: id, ...topic }).data;
    return { ok: true, status: called.status, ...(receipt === undefined ? {} : { receipt }) };
  }

  async function edit(message: OutgoingMessage, text: TelegramText, at: Receipt, bounds: CallBounds): Promise<Outcome> {
    const params = { chat_id: at.chat, message_id: at.message, ...shown(text, message) };
    const called = await toChat('editMessageText', params, bounds);
    if (called.ok || /message is not modified/i.test(called.description)) return { ok: true, receipt: at };
    // Somebody has deleted it: what is still open is worth another message.
    if (!/message to edit not found|MESSAGE_ID_INVALID/i.test(called.description)) return called.outcome;
    return message.resolution === null ? send(message, text, bounds) : { ok: true, receipt: at };
  }

  async function remove(at: Receipt, bounds: CallBounds): Promise<Outcome> {
    const called = await toChat('deleteMessage', { chat_id: at.chat, message_id: at.message }, bounds);
    if (called.ok || /message to delete not found|MESSAGE_ID_INVALID/i.test(called.description)) return { ok: true };
    return called.outcome;
  }

  const perform = (context: SendContext, work: (bounds: CallBounds) => Promise<Outcome>): Promise<Outcome> =>
    operations.run(context.signal, (signal) => {
      const { now } = tools;
      const end = performance.now() + context.timeoutMs;
      // Each call gets what the ones before have left.
      return work({
        signal,
        now,
        get timeout() {
          return Math.max(1, Math.round(end - performance.now()));
        },
      });
    });

  return {
    send: (message, context) => {
      const text = asOutcome(() => telegramText(message));
      return 'ok' in text ? Promise.resolve(text) : perform(context, (bounds) => send(message, text, bounds));
    },
    update: async (message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      if (!at) return NO_RECEIPT;
      const text = asOutcome(() => telegramText(message));
      return 'ok' in text ? text : perform(context, (bounds) => edit(message, text, at, bounds));
    },
    retract: async (_message, receipt, context) => {
      const at = receiptSchema.safeParse(receipt).data;
      return at ? perform(context, (bounds) => remove(at, bounds)) : { ok: true };
    },
    receive: (on, signal) =>
      operations.run(signal, (either) =>
        receiveAnswers(settings, { on, signal: either, now: tools.now, log: tools.log }),
      ),
    close: operations.close,
  };
}

/** No markup, no previews; a button where somebody listens. */
function shown({ text, entities }: TelegramText, { acknowledgeWith: data, resolution }: OutgoingMessage) {
  const button = data === null || resolution !== null ? null : { text: 'Got it', callback_data: data };
  const buttons = button === null ? {} : { reply_markup: { inline_keyboard: [[button]] } };
  return { text, entities, link_preview_options: { is_disabled: true }, ...buttons };
}

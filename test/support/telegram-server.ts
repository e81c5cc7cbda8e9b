// A strict Bot API server for tests, after core.telegram.org/bots/api ("Making requests", "sendMessage", "editMessageText", "deleteMessage",
// "createForumTopic", "Getting updates", "ResponseParameters", "MessageEntity") and the error texts of github.com/tdlib/telegram-bot-api (Client.cpp).
import type { ServerResponse } from 'node:http';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

export const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

/** A message as people see it. */
export interface Shown {
  readonly id: number;
  readonly chat: number;
  readonly thread: number | null;
  readonly silent: boolean;
  text: string;
  entities: readonly Entity[];
  /** Who or what Telegram would mention, or make a command, by itself. */
  active: readonly string[];
  deleted: boolean;
  /** What its buttons carry. */
  buttons: readonly string[];
  /** What they say, in the same order. */
  labels: readonly string[];
  /** The message that it answers; null: none. */
  readonly replyTo: number | null;
}
interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
}
interface Chat {
  readonly type: 'private' | 'group' | 'supergroup';
  readonly title?: string;
  readonly is_forum?: boolean;
  /** The bot was blocked or removed. */
  blocked?: boolean;
  /** It has become this supergroup. */
  movedTo?: number;
  /** Topics that are there. */
  readonly topics?: Set<number>;
  /** The bot may make topics. */
  readonly mayManage?: boolean;
}

export interface TelegramServer extends Receiver {
  readonly shown: Shown[];
  readonly chats: Map<number, Chat>;
  readonly rules: { webhook: string; retryAfter: number; token: string };
  /** Answers to pressed buttons, by the query's id. */
  readonly answered: Map<string, string>;
  /** Something a person does. */
  write(message: object): void;
  press(data: string, from: number): void;
}

type Fields = Record<string, unknown>;
const MENTION = /(?<!\w)@[A-Za-z0-9_]{2,32}|(?<![\w/<>])\/[A-Za-z0-9_]{1,64}(?![\w/<>])/g;

class Refusal extends Error {
  readonly status: number;
  readonly parameters: object | undefined;
  constructor(status: number, text: string, parameters?: object) {
    super(text);
    this.status = status;
    this.parameters = parameters;
  }
}
const bad = (text: string, parameters?: object) => new Refusal(400, `Bad Request: ${text}`, parameters);

/** Knows one private chat (7) with its user; more by `chats`. */
export async function startTelegramServer(options: { owned?: boolean } = {}): Promise<TelegramServer> {
  const receiver = await startReceiver(options);
  const shown: Shown[] = [];
  const chats = new Map<number, Chat>([[7, { type: 'private' }]]);
  const rules = { webhook: '', retryAfter: 0, token: TOKEN };
  const answered = new Map<string, string>();
  const updates: Fields[] = [];
  let polling: ((conflict: boolean) => unknown) | null = null;
  let ids = 1_000;

  const chatOf = (given: unknown): readonly [number, Chat] => {
    if (given === undefined || given === '') throw bad('chat_id is empty');
    const chat = chats.get(Number(given));
    if (!chat) throw bad('chat not found');
    if (chat.movedTo !== undefined)
      throw bad('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat.movedTo });
    if (chat.blocked) throw new Refusal(403, 'Forbidden: bot was blocked by the user');
    return [Number(given), chat];
  };
  const textOf = (given: Fields) => {
    const { text, entities = [], parse_mode } = given;
    if (parse_mode !== undefined) throw bad("can't parse entities: not with this server");
    if (typeof text !== 'string' || text.trim() === '') throw bad('message text is empty');
    if (text.length > 4_096) throw bad('message is too long');
    const list = entities as Entity[];
    if (list.length > 100) throw bad('too many entities');
    let end = 0;
    for (const { type, offset, length } of list) {
      if (!['bold', 'code'].includes(type) || offset < end || length < 1 || offset + length > text.length)
        throw bad(`can't parse entities: ${type} at ${offset}`);
      end = offset + length;
    }
    const inCode = (at: number) => list.some((e) => e.type === 'code' && at >= e.offset && at < e.offset + e.length);
    const markup = given['reply_markup'] as
      | { inline_keyboard?: { callback_data: string; text: string }[][] }
      | undefined;
    const keys = (markup?.inline_keyboard ?? []).flat();
    const buttons = keys.map(({ callback_data }) => callback_data);
    const labels = keys.map((key) => key.text);
    if (labels.some((label) => typeof label !== 'string' || label.trim() === ''))
      throw bad('text buttons are unallowed');
    if (buttons.some((data) => Buffer.byteLength(data) < 1 || Buffer.byteLength(data) > 64))
      throw bad('BUTTON_DATA_INVALID');
    const active = [...text.matchAll(MENTION)].filter(({ index }) => !inCode(index)).map(([word]) => word);
    return { text, entities: list, active, buttons, labels };
  };
  const messageOf = (chat: number, id: unknown, what: string): Shown => {
    const found = shown.find((one) => one.chat === chat && one.id === id && !one.deleted);
    if (!found) throw bad(`message to ${what} not found`);
    return found;
  };

  const methods: Record<string, (given: Fields) => unknown> = {
    getMe: () => ({ id: 110201543, is_bot: true, first_name: 'Belfry', username: 'belfry_test_bot' }),
    getWebhookInfo: () => ({ url: rules.webhook, pending_update_count: 0 }),
    getChat: (given) => {
      const [id, chat] = chatOf(given['chat_id']);
      return { id, type: chat.type, title: chat.title, is_forum: chat.is_forum };
    },
    sendMessage: (given) => {
      const [chat, { topics }] = chatOf(given['chat_id']);
      const thread = given['message_thread_id'] === undefined ? null : Number(given['message_thread_id']);
      if (thread !== null && !topics?.has(thread)) throw bad('message thread not found');
      const message = {
        id: ++ids,
        chat,
        thread,
        silent: given['disable_notification'] === true,
        ...textOf(given),
        deleted: false,
        replyTo: (given['reply_parameters'] as { message_id?: number } | undefined)?.message_id ?? null,
      };
      shown.push(message);
      return { message_id: message.id, date: 1, chat: { id: chat }, text: message.text };
    },
    editMessageText: (given) => {
      const [chat] = chatOf(given['chat_id']);
      const message = messageOf(chat, given['message_id'], 'edit');
      const next = textOf(given);
      if (next.text === message.text && next.buttons.join() === message.buttons.join())
        throw bad('message is not modified: specified new message content is the same');
      Object.assign(message, next);
      return { message_id: message.id, date: 1, chat: { id: chat } };
    },
    deleteMessage: (given) => {
      const [chat] = chatOf(given['chat_id']);
      messageOf(chat, given['message_id'], 'delete').deleted = true;
      return true;
    },
    createForumTopic: (given) => {
      const [, { is_forum, topics, mayManage }] = chatOf(given['chat_id']);
      if (!is_forum) throw bad('the chat is not a forum');
      if (!mayManage) throw bad('not enough rights to create a topic');
      const { name } = given;
      if (typeof name !== 'string' || name.length < 1 || name.length > 128) throw bad('TOPIC_TITLE_INVALID');
      topics?.add(++ids);
      return { message_thread_id: ids, name };
    },
    answerCallbackQuery: ({ callback_query_id: id, text }) => {
      if (String(text).length > 200) throw bad('MESSAGE_TOO_LONG');
      answered.set(String(id), String(text));
      return true;
    },
  };

  function poll(given: Fields, response: ServerResponse): unknown {
    const end = (status: number, body: object): unknown => {
      polling = null;
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const conflict = (text: string) => end(409, { ok: false, error_code: 409, description: `Conflict: ${text}` });
    if (rules.webhook !== '')
      return conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    // The newer request wins; the older one is ended.
    polling?.(true);
    const offset = Number(given['offset'] ?? 0);
    while (updates[0] && Number(updates[0]['update_id']) < offset) updates.shift();
    const give = (isConflict: boolean): unknown => {
      if (isConflict)
        return conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
      return end(200, { ok: true, result: updates.slice(0, Number(given['limit'] ?? 100)) });
    };
    if (updates.length > 0 || !given['timeout']) return give(false);
    polling = give;
    return response.on('close', () => (polling = polling === give ? null : polling));
  }

  receiver.answer = ({ path, method, body }: Received) => {
    const [, token = '', name = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    const answer = (status: number, value: object) => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
    const given = (method === 'POST' && body !== '' ? JSON.parse(body) : {}) as Fields;
    try {
      if (!/^\d+:[\w-]+$/.test(token)) throw new Refusal(404, 'Not Found');
      if (token !== rules.token) throw new Refusal(401, 'Unauthorized');
      if (rules.retryAfter > 0)
        throw new Refusal(429, `Too Many Requests: retry after ${rules.retryAfter}`, { retry_after: rules.retryAfter });
      if (name === 'getUpdates') return (_request, response) => poll(given, response);
      const act = methods[name];
      if (!act) throw new Refusal(404, 'Not Found');
      return answer(200, { ok: true, result: act(given) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message: description, parameters } = error;
      return answer(status, { ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) });
    }
  };
  const push = (update: object): void => {
    updates.push({ update_id: ++ids, ...update });
    polling?.(false);
  };
  return Object.assign(receiver, {
    shown,
    chats,
    rules,
    answered,
    write: (message: object) => push({ message: { message_id: ++ids, date: 1_780_000_000, ...message } }),
    press: (data: string, from: number) =>
      push({
        callback_query: {
          id: `q${ids}`,
          from: { id: from, is_bot: false, first_name: 'Ada' },
          data,
          chat_instance: '1',
        },
      }),
  });
}

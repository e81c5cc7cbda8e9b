// Telegram as a way to answer.
import type { AnswerWay } from './answer-ways.ts';
import { startTelegramServer, TOKEN } from './telegram-server.ts';

const ALLOWED = 42;

/** A bot with one person who may answer. */
export async function startTelegramWay(): Promise<AnswerWay> {
  const server = await startTelegramServer();
  const there = () => server.shown.filter(({ deleted, replyTo }) => !deleted && replyTo === null);
  return {
    lines: `type = "telegram"\napi_url = "${server.url}"\ntoken = "${TOKEN}"\nchat = 7\nallow = [${ALLOWED}]`,
    person: 'Ada',
    where: 'in Telegram',
    keepsMessages: true,
    isListening: () => server.requests.some(({ path }) => path.endsWith('getUpdates')),
    shown: () =>
      there().map(({ text, buttons, labels }) => ({
        text,
        buttons: buttons.map((value, at) => ({ value, label: labels[at] ?? '' })),
      })),
    press: async (value, allowed = true) => server.press(value, allowed ? ALLOWED : 43),
    reply: async (index, text, allowed = true) =>
      server.write({
        from: { id: allowed ? ALLOWED : 43, is_bot: false, first_name: allowed ? 'Ada' : 'Eve' },
        chat: { id: 7, type: 'private' },
        text,
        reply_to_message: { message_id: there()[index]?.id, from: { id: Number(TOKEN.split(':')[0]), is_bot: true } },
      }),
    lineTo: () => [
      ...server.answered.values(),
      ...server.shown.filter(({ replyTo }) => replyTo !== null).map(({ text }) => text),
    ],
  };
}

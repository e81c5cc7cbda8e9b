// Telegram: messages of a bot of your own to a person, a group or a topic (core.telegram.org/bots/api).
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';
import { telegramSchema } from './telegram/settings.ts';

/** 30 messages a second in all, one to a person, 20 a minute to a group (core.telegram.org/bots/faq, "limits"): ms. */
const BOT = 34;
const PERSON = 1_000;
const GROUP = 3_000;

export const telegram = defineChannel({
  type: 'telegram',
  schema: telegramSchema,
  audience: 'people',
  // A repeat is shown again: nothing in a message lets Telegram drop it.
  capabilities: {
    update: true,
    retract: true,
    receive: 'allow',
    thread: 'thread',
    buttons: 'allow',
    reply: 'allow',
    priority: true,
  },
  answeredWhere: 'in Telegram',
  onResolved: 'update',
  limits: ({ chat }) => ({
    concurrency: 1,
    minIntervalMs: /^[-@]/.test(String(chat)) ? GROUP : PERSON,
    timeoutMs: 15_000,
  }),
  // The limits of a chat hold for the bot, whichever channel writes there.
  account: ({ token, api_url: api, chat }) => ({ identity: [api, token], minIntervalMs: BOT, place: String(chat) }),
  open: (settings, tools) =>
    lazyChannel(
      async () => (await import('./telegram/open.ts')).openTelegram(settings, tools),
      settings.allow === undefined ? ['update', 'retract'] : ['update', 'retract', 'receive'],
    ),
  check: async (settings, tools) => (await import('./telegram/check.ts')).checkTelegram(settings, tools),
  defaultSettings: null,
  setup: {
    intro: [
      'In Telegram, write /newbot to @BotFather; it gives you a token.',
      'Use a bot that no other program uses: Telegram hands what is sent to a bot to one program only.',
    ],
    questions: [{ key: 'token', ask: "The bot's token", help: 'A number, a colon and letters.' }],
    pairing: {
      finds: ['chat', 'allow'],
      exclusive: 'token',
      run: async (answers, tools) => (await import('./telegram/pair.ts')).pairTelegram(answers, tools),
    },
  },
  docs: {
    summary: 'Messages of your own Telegram bot to you, a group or a topic',
    example: 'type = "telegram"\ntoken = "env:TELEGRAM_TOKEN"\nchat = 123456789',
  },
});

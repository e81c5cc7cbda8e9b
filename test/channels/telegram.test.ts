// Telegram: what people see within its limits, changes in place, groups that move, topics, pairing and answers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { telegram } from '../../src/channels/telegram.ts';
import { pairTelegram } from '../../src/channels/telegram/pair.ts';
import type { InboundAnswer, OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import type { NotificationContent } from '../../src/model/notification/notification.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { startTelegramServer, type TelegramServer, TOKEN } from '../support/telegram-server.ts';
import { until } from '../support/wait.ts';

const at = (url: string, more: object = {}) => ({ token: TOKEN, chat: 7, api_url: url, allow_private: true, ...more });

testHttpChannel({
  channel: telegram,
  input: { token: 'secret:telegram_token', chat: 7, allow: [7] },
  settings: (url) => ({ input: at(url), secrets: [TOKEN] }),
  accepted: { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 1, chat: { id: 7 } } }) },
});

const send = (
  server: TelegramServer,
  more: Partial<NotificationContent> = {},
  settings: object = {},
  message: Partial<OutgoingMessage> = {},
) => deliver(telegram, at(server.url, settings), messageOf(more, message));
const receiptOf = (outcome: Outcome): unknown => (outcome.ok ? outcome.receipt : null);
const change = (server: TelegramServer, receipt: unknown, message: OutgoingMessage, settings: object = {}) =>
  deliver(telegram, at(server.url, settings), message, toolsOf(), receipt);
const updated = (more: Partial<NotificationContent> = {}, message: Partial<OutgoingMessage> = {}) =>
  messageOf(more, { operation: 'update', revision: 2, ...message });
const retracted = messageOf({}, { operation: 'retract', revision: 2 });

describe('the message', () => {
  test('is a bold title and plain text, without previews', async () => {
    const server = await startTelegramServer();
    const outcome = await send(server, { title: 'T <b>', body: '*one*\n_two_ https://example.com' });
    expect(server.shown).toMatchObject([
      {
        chat: 7,
        text: 'T <b>\n*one*\n_two_ https://example.com',
        entities: [{ type: 'bold', offset: 0, length: 5 }],
        silent: false,
      },
    ]);
    expect(outcome).toEqual({ ok: true, status: 200, receipt: { chat: 7, message: server.shown[0]?.id } });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ link_preview_options: { is_disabled: true } });
  });

  test('has a button where somebody listens, until it is over', async () => {
    const server = await startTelegramServer();
    const acknowledgeWith = `ack:ntf_${'x'.repeat(24)}:${'y'.repeat(22)}`;
    const receipt = receiptOf(await send(server, {}, {}, { acknowledgeWith }));
    expect(server.shown[0]?.buttons).toEqual([acknowledgeWith]);
    const resolution = { state: 'acknowledged', why: 'acknowledged by ada', at: 0 } as const;
    await change(server, receipt, updated({}, { resolution, acknowledgeWith }));
    expect(server.shown[0]?.buttons).toEqual([]);
  });

  test('makes no sound when it is low', async () => {
    const server = await startTelegramServer();
    for (const urgency of ['low', 'normal', 'urgent'] as const) await send(server, { urgency });
    expect(server.shown.map(({ silent }) => silent)).toEqual([true, false, false]);
  });

  test('mentions nobody and holds no command, whatever text and however much of it', async () => {
    const server = await startTelegramServer();
    const texts = [
      ...hostile,
      '@everyone /start',
      '@ada '.repeat(900),
      '/stop '.repeat(700),
      `😀@ada ${'é'.repeat(9_000)}`,
      '@a'.repeat(4_000),
    ];
    for (const text of texts) {
      expect(await send(server, { title: text, body: text }), text.slice(0, 60)).toMatchObject({ ok: true });
      expect(server.shown.at(-1)?.active, text.slice(0, 60)).toEqual([]);
    }
    expect(server.shown.some(({ text }) => text.includes('/home/dev'))).toBe(false);
    await send(server, { body: 'see /home/dev/x, mail me@example.com, 1/2' });
    expect(server.shown.at(-1)?.entities).toHaveLength(1);
  });

  test('keeps the limits and splits no grapheme', async () => {
    const server = await startTelegramServer();
    const part = fc.constantFrom('@ada ', '/go ', 'x', '👩‍👩‍👧‍👦', 'é', '\n', ' ', '🇩🇪', 'word ');
    const text = fc.tuple(part, fc.nat(4_000), part).map(([a, count, b]) => a.repeat(count) + b.repeat(50));
    await fc.assert(
      fc.asyncProperty(text, text, async (title, body) => {
        expect(await send(server, { title, body })).toMatchObject({ ok: true });
        expect(server.shown.at(-1)?.text).not.toMatch(/\u200d…|[\ud800-\udbff](?![\udc00-\udfff])/);
        expect(server.shown.at(-1)?.active).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a change', () => {
  test('edits in place, says why it is over, and can be repeated', async () => {
    const server = await startTelegramServer();
    const receipt = receiptOf(await send(server));
    const resolution = { state: 'resolved', why: 'answered in the terminal after 40 s', at: 0 } as const;
    for (const message of [
      updated({ title: 'second' }),
      updated({ title: 'second' }),
      updated({ title: 'T', body: 'B' }, { resolution }),
    ])
      expect(await change(server, receipt, message)).toEqual({ ok: true, receipt });
    expect(server.shown).toMatchObject([{ text: 'T\n✓ answered in the terminal after 40 s\nB' }]);
  });

  test('of a message that somebody deleted: posts what is still open again, and lets go what is over', async () => {
    const server = await startTelegramServer();
    const receipt = receiptOf(await send(server));
    expect(await change(server, receipt, retracted)).toEqual({ ok: true });
    expect(await change(server, receipt, retracted)).toEqual({ ok: true });
    await change(server, receipt, updated({}, { resolution: { state: 'resolved', why: 'over', at: 0 } }));
    expect(server.shown.filter(({ deleted }) => !deleted)).toEqual([]);
    await change(server, receipt, updated({ title: 'more' }));
    expect(server.shown.filter(({ deleted }) => !deleted)).toHaveLength(1);
  });
});

describe('a group', () => {
  test('that has become a supergroup is followed, for changes too', async () => {
    const server = await startTelegramServer();
    server.chats.set(-5, { type: 'group', movedTo: -1005 });
    server.chats.set(-1005, { type: 'supergroup', title: 'Team' });
    const settings = { chat: -5 };
    for (const _time of [1, 2])
      expect(await send(server, {}, settings)).toMatchObject({ ok: true, receipt: { chat: -1005 } });
    expect(server.requests).toHaveLength(3);
    expect(
      await change(server, receiptOf(await send(server, {}, settings)), updated({ title: 'x' }), settings),
    ).toMatchObject({ ok: true });
  });

  const forum = { type: 'supergroup', title: 'Team', is_forum: true, mayManage: true } as const;

  test('has a topic for each session, made once', async () => {
    const server = await startTelegramServer();
    server.chats.set(-9, { ...forum, topics: new Set() });
    const settings = { chat: -9, thread: 'session' };
    const event = eventOf({ project: 'payments', branch: 'main', sessionId: '0123456789' });
    for (const threadKey of ['a', 'b', 'a']) await send(server, { event }, settings, { threadKey });
    const [first, second, third] = server.shown.map(({ thread }) => thread);
    expect(first).not.toBeNull();
    expect([third, second === first]).toEqual([first, false]);
    const made = server.requests.filter(({ path }) => path.endsWith('createForumTopic'));
    expect(made.map(({ body }) => JSON.parse(body).name)).toEqual(Array(2).fill('payments main 01234567'));
  });

  test('has the same topic after a restart, by what was sent before', async () => {
    const server = await startTelegramServer();
    const topics = new Set<number>();
    server.chats.set(-9, { ...forum, topics });
    const settings = { chat: -9, thread: 'session' };
    const threadReceipt = receiptOf(await send(server, {}, settings));
    const restarted = { ...settings, allow: [1] }; // another instance, which remembers nothing
    await send(server, {}, restarted, { threadReceipt });
    expect(server.shown[1]?.thread).toBe(server.shown[0]?.thread);
    topics.clear();
    expect(await send(server, {}, restarted, { threadReceipt })).toMatchObject({ ok: true });
  });

  test.each([
    ['is made again', forum, 1],
    ['can be made no more: the message goes to the chat itself', { ...forum, mayManage: false }, 0],
  ])('whose topic was deleted and %s', async (_name, after, topicsThen) => {
    const server = await startTelegramServer();
    const topics = new Set<number>();
    server.chats.set(-9, { ...forum, topics });
    const settings = { chat: -9, thread: 'session' };
    await send(server, {}, settings);
    topics.clear();
    server.chats.set(-9, { ...after, topics });
    for (const _time of [1, 2]) expect(await send(server, {}, settings)).toMatchObject({ ok: true });
    expect([server.shown.length, topics.size]).toEqual([3, topicsThen]);
    expect(server.shown.slice(1).map(({ thread }) => thread)).toEqual(Array(2).fill([...topics][0] ?? null));
  });

  test('of the settings that was deleted: the message goes to the chat itself', async () => {
    const server = await startTelegramServer();
    server.chats.set(-9, { ...forum, topics: new Set() });
    expect(await send(server, {}, { chat: -9, thread: 12 })).toMatchObject({ ok: true });
    expect(server.shown).toMatchObject([{ chat: -9, thread: null }]);
  });

  test.each([
    ['without topics', { ...forum, is_forum: false }],
    ['where the bot may not make any', { ...forum, mayManage: false }],
  ])('%s: the message goes to the chat itself', async (_name, chat) => {
    const server = await startTelegramServer();
    server.chats.set(-9, { ...chat, topics: new Set() });
    expect(await send(server, {}, { chat: -9, thread: 'session' })).toMatchObject({ ok: true });
    expect(server.shown[0]?.thread).toBeNull();
  });

  test('takes a message in three seconds, a person one in a second', () => {
    const pace = (chat: number | string) => telegram.limits(telegram.schema.parse({ token: 'x', chat })).minIntervalMs;
    expect([pace(7), pace(-9), pace('@team')]).toEqual([1_000, 3_000, 3_000]);
  });
});

describe('the answer', () => {
  const cases: [string, (server: TelegramServer) => object | undefined, RegExp][] = [
    [
      'a token that was revoked',
      ({ rules }) => void Object.assign(rules, { token: '1:x' }),
      /^auth answered 401: Unauthorized: get the token from @BotFather/,
    ],
    ['a token that is none', () => ({ token: 'hello' }), /^invalid-config the token is not one of @BotFather/],
    ['an unknown chat', () => ({ chat: 8 }), /^invalid-config answered 400: Bad Request: chat not found/],
    [
      'blocked by the person',
      ({ chats }) => void chats.set(7, { type: 'private', blocked: true }),
      /^auth answered 403: Forbidden: bot was blocked/,
    ],
    ['too many', ({ rules }) => void Object.assign(rules, { retryAfter: 17 }), /^rate-limited answered 429: .* 17000$/],
  ];
  test.each(cases)('%s', async (_name, set, words) => {
    const server = await startTelegramServer();
    const outcome = await send(server, {}, set(server) ?? {});
    if (outcome.ok) throw new Error('was delivered');
    expect(`${outcome.reason} ${outcome.error} ${outcome.retryAfter ?? ''}`.trim()).toMatch(words);
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });
});

describe('check, without sending', () => {
  const cases: [string, (server: TelegramServer) => object | undefined, RegExp][] = [
    ['all is well', () => ({}), /^ok: @belfry_test_bot can see the chat$/],
    ['a revoked token', ({ rules }) => void Object.assign(rules, { token: '1:x' }), /^fail: answered 401.*@BotFather/],
    ['an unknown chat', () => ({ chat: 8 }), /^fail: .*chat not found.*@belfry_test_bot/],
    [
      'a group that has moved',
      ({ chats }) => {
        chats.set(-5, { type: 'group', movedTo: -1005 });
        return { chat: -5 };
      },
      /^warn: .*set chat = -1005/,
    ],
    ['topics where there are none', () => ({ thread: 'session' }), /warn: the chat has no topics/],
    [
      "another program's webhook",
      ({ rules }) => {
        rules.webhook = 'https://example.com';
        return { allow: [7] };
      },
      /warn: a webhook is set/,
    ],
  ];
  test.each(cases)('%s', async (_name, set, words) => {
    const server = await startTelegramServer();
    const found = await telegram.check(telegram.schema.parse(at(server.url, set(server) ?? {})), toolsOf());
    expect(found.map(({ level, text, fix }) => `${level}: ${text}${fix ? ` (${fix})` : ''}`).join(' | ')).toMatch(
      words,
    );
    expect(server.shown).toEqual([]);
  });
});

describe('pairing', () => {
  const ada = { id: 42, is_bot: false, first_name: 'Ada', username: 'ada' };
  const person = { id: 42, type: 'private' };

  /** Runs it; `act` is given the code once it is shown. */
  async function pair(
    act: (server: TelegramServer, code: string) => void,
    more: Partial<TelegramServer['rules']> = {},
  ) {
    const server = await startTelegramServer();
    Object.assign(server.rules, more);
    const lines: string[] = [];
    const links: string[] = [];
    const control = new AbortController();
    const answers = { token: TOKEN, api_url: server.url, allow_private: true };
    const pairing = pairTelegram(answers, {
      now: Date.now,
      signal: control.signal,
      show: (line) => lines.push(line),
      showLink: async (link) => void links.push(link),
    });
    await Promise.race([until(() => lines.length > 1, 'the code'), pairing]);
    const code = /: ([A-Z0-9]{8}) /.exec(lines[0] ?? '')?.[1] ?? '';
    if (code !== '') expect(links).toEqual([`https://t.me/belfry_test_bot?start=${code}`]);
    act(server, code);
    return { pairing, lines, server, control };
  }

  test.each<[string, (code: string) => object, object]>([
    ['in private', (code) => ({ from: ada, chat: person, text: code }), { chat: 42, allow: [42] }],
    [
      'in small letters, by the link',
      (code) => ({ from: ada, chat: person, text: `/start ${code.toLowerCase()}` }),
      { chat: 42, allow: [42] },
    ],
    [
      'in a group',
      (code) => ({ from: ada, chat: { id: -9, type: 'group', title: 'Team' }, text: `/pair@belfry_test_bot ${code}` }),
      { chat: -9, allow: [42] },
    ],
    [
      'in a topic',
      (code) => ({
        from: ada,
        chat: { id: -9, type: 'supergroup' },
        text: `/pair ${code}`,
        message_thread_id: 5,
        is_topic_message: true,
      }),
      { chat: -9, thread: 5, allow: [42] },
    ],
  ])('the code %s', async (_name, message, settings) => {
    const { pairing, server } = await pair((to, code) => {
      to.write({ from: { ...ada, id: 1 }, chat: { id: 1, type: 'private' }, text: 'hello' });
      to.write(message(code));
    });
    expect(await pairing).toMatchObject({ ok: true, settings, summary: expect.stringContaining('@ada') });
    expect(server.shown).toEqual([]);
  });

  test.each<[string, (code: string) => object[], RegExp]>([
    ['guesses', () => Array<object>(20).fill({ from: ada, chat: person, text: 'AAAA2222' }), /too many wrong codes/],
    [
      'nobody to allow',
      (code) => [{ from: { ...ada, id: 1087968824 }, chat: { id: -9, type: 'group' }, text: `/pair ${code}` }],
      /anonymous/,
    ],
  ])('refused: %s', async (_name, messages, words) => {
    const { pairing } = await pair((server, code) => {
      for (const message of messages(code)) server.write(message);
    });
    expect(await pairing).toMatchObject({ ok: false, error: expect.stringMatching(words) });
  });

  test('another program that polls, or a webhook, is named', async () => {
    const other = await pair(() => undefined);
    const polls = () => other.server.requests.filter(({ path }) => path.endsWith('getUpdates')).length;
    await until(() => polls() === 1, 'the poll');
    const second = fetch(`${other.server.url}/bot${TOKEN}/getUpdates`, { method: 'POST', body: '{"timeout":1}' });
    const error = expect.stringMatching(/another program already receives .*BotFather/);
    expect(await other.pairing).toMatchObject({ ok: false, error });
    other.server.write({ from: ada, chat: person, text: 'ends the second poll' });
    await (await second).text();
    const hooked = await pair(() => undefined, { webhook: 'https://example.com' });
    expect(await hooked.pairing).toMatchObject({ ok: false, error: expect.stringMatching(/a webhook is set/) });
  });

  test('ends soon when it is given up', async () => {
    const { pairing, control } = await pair(() => undefined);
    control.abort();
    expect(await pairing).toMatchObject({ ok: false, error: expect.stringMatching(/nobody sent the code/) });
  });
});

test('hands over what allowed people answer, and nothing of others', async () => {
  const server = await startTelegramServer();
  const control = new AbortController();
  const open = telegram.open(telegram.schema.parse(at(server.url, { allow: [42] })), toolsOf());
  const got: InboundAnswer[] = [];
  const receiving = open.receive?.(async (answer) => {
    got.push(answer);
    return `noted ${'x'.repeat(300)}`;
  }, control.signal);
  server.press('ntf_1:ack', 43);
  server.press('ntf_1:ack', 42);
  const from = { id: 42, is_bot: false, first_name: 'Ada' };
  server.write({ from, chat: { id: 7, type: 'private' }, text: 'just talk' });
  server.write({
    from,
    chat: { id: 7, type: 'private' },
    text: 'no',
    reply_to_message: { message_id: 2, from: { id: 43 } },
  });
  const bot = { id: 110201543, is_bot: true };
  const reply = { message_id: 3, from: bot };
  server.write({ from, chat: { id: 7, type: 'private' }, text: 'use staging', reply_to_message: reply });
  await until(() => server.shown.length === 1, 'the reply');
  expect(got).toMatchObject([
    { reference: 'ntf_1:ack', text: null, by: { id: '42', name: 'Ada' } },
    { reference: null, replyTo: { chat: 7, message: 3 }, text: 'use staging', at: 1_780_000_000_000 },
  ]);
  expect([...server.answered.values()].map((text) => text.length)).toEqual([200]);
  control.abort();
  await receiving;
  await open.close();
});

// Discord: what its webhook is sent, within its limits and as text only; what its answers mean; threads, changes, and that a deleted one is left alone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discord } from '../../src/channels/discord.ts';
import { markdownText } from '../../src/channels/discord/markdown.ts';
import { plainText } from '../../src/lib/text/text.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { stopsChannel } from '../../src/delivery/policy/record-outcome.ts';
import { deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import type { Answer } from '../support/receiver.ts';
import { PATH, startDiscord, TOKEN } from './discord-server.ts';

testHttpChannel({
  channel: discord,
  input: { url: 'env:DISCORD_WEBHOOK_URL' },
  settings: (url) => ({ input: { url: `${url}${PATH}`, allow_private: true }, secrets: [PATH, TOKEN] }),
  accepted: { status: 200, body: JSON.stringify({ id: '1290000000000000123', channel_id: '1290000000000000009' }) },
});

const RESOLUTION = { state: 'resolved', why: 'answered in the terminal', at: Date.UTC(2026, 5, 1, 13) } as const;

describe('a message', () => {
  test('is posted, changed, and deleted, for good once', async () => {
    const { url, messages, receiver } = await startDiscord();
    const given = { url, allow_private: true };
    const tools = toolsOf();
    const sent = await deliver(discord, given, messageOf({ title: 'T', body: 'B' }), tools);
    if (!sent.ok) throw new Error(sent.error);
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: `${PATH}?wait=true` });
    expect([...messages.values()]).toMatchObject([{ embed: { title: 'T', description: 'B' }, flags: 0 }]);
    const over = messageOf({ body: 'B' }, { operation: 'update', revision: 2, resolution: RESOLUTION });
    expect(await deliver(discord, given, over, tools, sent.receipt)).toMatchObject({ ok: true, receipt: sent.receipt });
    expect([...messages.values()]).toMatchObject([{ embed: { description: '✓ answered in the terminal\nB' } }]);
    const gone = messageOf({}, { operation: 'retract', revision: 3, resolution: RESOLUTION });
    for (const _time of [1, 2]) {
      expect(await deliver(discord, given, gone, tools, sent.receipt)).toMatchObject({ ok: true });
      expect(messages.size).toBe(0);
    }
  });

  test('that somebody deleted is posted again when it changes, and left alone when it is over', async () => {
    const { url, messages } = await startDiscord();
    const given = { url, allow_private: true };
    const tools = toolsOf();
    const sent = await deliver(discord, given, messageOf(), tools);
    messages.clear();
    const receipt = sent.ok ? sent.receipt : null;
    const over = messageOf({}, { operation: 'update', revision: 2, resolution: RESOLUTION });
    expect(await deliver(discord, given, over, tools, receipt)).toMatchObject({ ok: true });
    expect(messages.size).toBe(0);
    const changed = messageOf({ title: 'more' }, { operation: 'update', revision: 3 });
    const again = await deliver(discord, given, changed, tools, receipt);
    expect(again.ok && again.receipt).not.toEqual(receipt);
    expect([...messages.values()]).toMatchObject([{ embed: { title: 'more' } }]);
  });

  test.each([
    ['low', { urgency: 'low' }, 4_096],
    ['normal', { urgency: 'normal' }, 0],
    ['urgent', { urgency: 'urgent' }, 0],
    ['low, but abnormal', { urgency: 'low', abnormal: true }, 0],
  ] as const)('%s', async (_name, more, flags) => {
    const { url, messages } = await startDiscord();
    expect(await deliver(discord, { url, allow_private: true }, messageOf(more))).toMatchObject({ ok: true });
    expect([...messages.values()][0]?.flags).toBe(flags);
  });

  test('any texts keep within the limits', async () => {
    const { url, messages } = await startDiscord();
    const tools = toolsOf();
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 9_000 }),
      fc.string({ unit: fc.constantFrom('*', '\\', '_', '👩‍👩‍👧', 'a', '\n'), maxLength: 9_000 }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, fc.array(text, { maxLength: 4 }), async (title, body, quotes) => {
        const messages = quotes.map((quote) => ({ role: 'user', text: quote, at: null, from: 'input' }) as const);
        const event = eventOf({ host: title, branch: body });
        const message = messageOf({ title, body, event, context: { messages } });
        expect(await deliver(discord, { url, allow_private: true }, message, tools)).toMatchObject({ ok: true });
      }),
      { numRuns: 60 },
    );
    expect(messages.size).toBeGreaterThan(0);
  });
});

/** Takes escapes away as Discord does; what is markup without one becomes a mark. */
function seen(markdown: string): string {
  const markup = /\\([^0-9A-Za-z\s])|^[ \t]*(?:[#>+-]|\d+[.)])|[\\*~`|[\]<@]|\b__|__\b|:[\w+-]+:/gm;
  return markdown.replace(markup, (_all, plain?: string) => plain ?? '\0');
}

describe('text is text', () => {
  test.each(hostile.map((text) => [JSON.stringify(text).slice(0, 60), text] as const))('%s', (_name, text) => {
    const shown = plainText(text);
    const made = markdownText(shown, 1_000_000);
    expect(seen(made)).toBe(shown);
  });

  test.each([
    ['**bold** _it_ snake_case_name', '\\*\\*bold\\*\\* \\_it\\_ snake_case_name'],
    ['# no heading\n- no item\n> no quote\n1. no list', '\\# no heading\n\\- no item\n\\> no quote\n1\\. no list'],
    ['[text](https://evil.example)', '\\[text\\](https://evil.example)'],
    ['<@1> @everyone <:a:1> :tada:', '\\<\\@1> \\@everyone \\<\\:a:1> \\:tada:'],
    ['see https://example.com/a_b-c?d=1#e at 12:30', 'see https://example.com/a_b-c?d=1#e at 12:30'],
  ])('%s', (text, expected) => {
    expect(markdownText(text, 1_000)).toBe(expected);
  });
});

describe('threads', () => {
  const thread = (key: string) => messageOf({ event: eventOf({ project: key, branch: 'main' }) }, { threadKey: key });

  test('are the same after a restart, by what was sent before, unless they were deleted', async () => {
    const { url, threads } = await startDiscord({ forum: true });
    const given = { url, allow_private: true, thread: 'session' };
    const first = await deliver(discord, given, thread('a'));
    const next = { ...thread('a'), threadReceipt: first.ok ? first.receipt : null };
    const restarted = { ...given, level: 'full' }; // another instance, which remembers nothing
    expect(await deliver(discord, restarted, next)).toMatchObject({ ok: true });
    expect(threads.size).toBe(1);
    threads.clear();
    expect(await deliver(discord, restarted, next)).toMatchObject({ ok: true });
    expect(threads.size).toBe(1);
  });

  test('one for each session in a forum, named after it; its changes go there too', async () => {
    const { url, messages, threads } = await startDiscord({ forum: true });
    const given = { url, allow_private: true, thread: 'session' };
    const tools = toolsOf();
    for (const key of ['a', 'b', 'a'])
      expect(await deliver(discord, given, thread(key), tools)).toMatchObject({ ok: true });
    expect([...threads.values()]).toEqual(['a (main)', 'b (main)']);
    const [first, second] = [...threads.keys()];
    expect([...messages.values()].map(({ place }) => place)).toEqual([first, second, first]);
    const sent = await deliver(discord, given, thread('b'), tools);
    const gone = { ...thread('b'), operation: 'retract', resolution: RESOLUTION } as const;
    expect(await deliver(discord, given, gone, tools, sent.ok ? sent.receipt : null)).toMatchObject({ ok: true });
    expect(messages.size).toBe(3);
  });

  test('one that was deleted is opened again', async () => {
    const { url, threads, messages } = await startDiscord({ forum: true });
    const given = { url, allow_private: true, thread: 'session' };
    const tools = toolsOf();
    await deliver(discord, given, thread('a'), tools);
    threads.clear();
    expect(await deliver(discord, given, thread('a'), tools)).toMatchObject({ ok: true });
    expect([...threads.values()]).toEqual(['a (main)']);
    expect([...messages.values()].at(-1)?.place).toBe([...threads.keys()][0]);
  });

  test.each([
    ['changed', null, 1],
    ['over', RESOLUTION, 0],
  ] as const)('what was in a deleted one and is %s does not fail the channel', async (_name, resolution, posted) => {
    const { url, threads, messages } = await startDiscord({ forum: true });
    const given = { url, allow_private: true, thread: 'session' };
    const tools = toolsOf();
    const sent = await deliver(discord, given, thread('a'), tools);
    threads.clear();
    messages.clear();
    const change = { ...thread('a'), operation: 'update', revision: 2, resolution } as const;
    expect(await deliver(discord, given, change, tools, sent.ok ? sent.receipt : null)).toMatchObject({ ok: true });
    expect([threads.size, messages.size]).toEqual([posted, posted]);
  });

  test('one of your own', async () => {
    const { url, threads, messages } = await startDiscord();
    threads.set('1290000000000000777', 'mine');
    const given = { url, allow_private: true, thread: '1290000000000000777' };
    expect(await deliver(discord, given, messageOf())).toMatchObject({ ok: true });
    expect([...messages.values()]).toMatchObject([{ place: '1290000000000000777' }]);
  });

  test.each([
    ['a forum without `thread`', true, undefined, /set thread = "session"/],
    ['`session` in a channel', false, 'session', /remove `thread`/],
    ['no such thread', false, '12', /check `thread`/],
  ])('%s is a fault of the settings', async (_name, forum, at, error) => {
    const { url } = await startDiscord({ forum });
    const outcome = await deliver(discord, { url, allow_private: true, ...(at ? { thread: at } : {}) }, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config' });
    if (!outcome.ok) expect(outcome.error).toMatch(error);
  });
});

describe('the answer', () => {
  const limited = (headers: Record<string, string>, body: unknown): Answer => ({
    status: 429,
    headers,
    body: JSON.stringify(body),
  });
  test.each<[string, Answer, object]>([
    [
      'a limit of the webhook: both forms, the longer one counts',
      limited({ 'retry-after': '1' }, { message: 'You are being rate limited.', retry_after: 1.337, global: false }),
      { reason: 'rate-limited', retryAfter: 1_337 },
    ],
    [
      'in the header only',
      { status: 429, headers: { 'retry-after': '65' }, body: '<html>1015</html>' },
      { reason: 'rate-limited', retryAfter: 65_000 },
    ],
    ['in the body only', limited({}, { retry_after: 64.57 }), { reason: 'rate-limited', retryAfter: 64_570 }],
    [
      'of everything',
      limited({ 'retry-after': '65', 'x-ratelimit-global': 'true' }, { retry_after: 64.57, global: true }),
      { reason: 'rate-limited', retryAfter: 65_000, error: expect.stringMatching(/limit of all webhooks/) },
    ],
    ['a bad message', { status: 400, body: '{"code":50035,"message":"Invalid Form Body"}' }, { reason: 'client' }],
    ['no token of it', { status: 401, body: '{"code":50027,"message":"Invalid Webhook Token"}' }, { reason: 'auth' }],
    ['down', 502, { reason: 'server' }],
  ])('%s', async (_name, answer, expected) => {
    const { url, scripted, receiver } = await startDiscord();
    scripted.push(answer);
    expect(await deliver(discord, { url, allow_private: true }, messageOf())).toMatchObject({ ok: false, ...expected });
    expect(receiver.requests).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['deleted', { status: 404, body: '{"message":"Unknown Webhook","code":10015}' }],
    ['with another token', { status: 401, body: '{"message":"Invalid Webhook Token","code":50027}' }],
  ])('a webhook that is %s fails the channel, and is asked again when somebody asks', async (_name, answer) => {
    const { url, scripted, receiver } = await startDiscord();
    scripted.push(answer);
    const given = { url, allow_private: true };
    const tools = toolsOf();
    const refused = await deliver(discord, given, messageOf(), tools);
    expect(!refused.ok && stopsChannel(refused.reason)).toBe(true);
    expect(await deliver(discord, given, messageOf(), tools)).toMatchObject({ ok: true });
    expect(receiver.requests).toHaveLength(2);
  });

  test.each<[string, Answer]>([
    ['without a code, as a proxy may say', 404],
    ['with a page', { status: 404, body: '<html>nothing here</html>' }],
    ['of Discord itself, about an address', { status: 404, body: '{"message":"404: Not Found","code":0}' }],
  ])('a 404 %s fails the channel, and the webhook is asked again', async (_name, answer) => {
    const { url, scripted } = await startDiscord();
    scripted.push(answer);
    const tools = toolsOf();
    const send = () => deliver(discord, { url, allow_private: true }, messageOf(), tools);
    expect(await send()).toMatchObject({ ok: false, reason: 'invalid-config' });
    expect(await send()).toMatchObject({ ok: true });
  });
});

test.each([{ thread: 'yes' }, { thread: 12 }, { url: 'ftp://x' }, { url: '' }])(
  'settings that are refused: %j',
  (more) => {
    expect(discord.schema.safeParse({ url: 'https://discord.com/api/webhooks/1/a', ...more }).success).toBe(false);
  },
);

// Slack: what an incoming webhook is sent, within its documented limits, and what its answers mean.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slackMessage } from '../../src/channels/shared/slack.ts';
import { slack } from '../../src/channels/slack.ts';
import type { NotificationContent } from '../../src/model/notification/notification.ts';
import { deliver, eventOf, messageOf, notificationOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { type Answer, startReceiver } from '../support/receiver.ts';

const settingsOf = (url: string) => ({ url, allow_private: true });

testHttpChannel({
  channel: slack,
  input: { url: 'env:SLACK_WEBHOOK_URL' },
  settings: (url) => ({
    input: settingsOf(`${url}/services/T000SECRET/B000SECRET/abcdefghijklmnopqrstuvwx`),
    secrets: ['/services/T000SECRET/B000SECRET/abcdefghijklmnopqrstuvwx', 'T000SECRET', 'abcdefghijklmnopqrstuvwx'],
  }),
  accepted: { status: 200, body: 'ok' },
});

interface Text {
  type: string;
  text: string;
  emoji?: boolean;
}
interface Block {
  type: string;
  text?: Text;
  elements?: Text[];
}
interface Message {
  text: string;
  blocks: Block[];
  attachments?: { color: string; blocks: Block[] }[];
  [key: string]: unknown;
}

const render = (more: Partial<NotificationContent>): Message =>
  slackMessage(notificationOf(more)) as unknown as Message;
const blocksOf = (message: Message): Block[] => [
  ...message.blocks,
  ...(message.attachments ?? []).flatMap((a) => a.blocks),
];
const textsOf = (message: Message): Text[] =>
  blocksOf(message).flatMap(({ text, elements = [] }) => (text ? [text, ...elements] : elements));

describe('the message', () => {
  test('is blocks of plain text, with a fallback and nothing unfurled', async () => {
    const receiver = await startReceiver();
    receiver.answer = () => ({ status: 200, body: 'ok' });
    const outcome = await deliver(
      slack,
      settingsOf(`${receiver.url}/services/T/B/x`),
      messageOf({ title: 'T', body: 'B' }),
    );
    expect(outcome).toMatchObject({ ok: true });
    expect(receiver.requests[0]?.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({
      text: 'T\nB',
      mrkdwn: false,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'T', emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: 'B', emoji: false } },
        {
          type: 'section',
          fields: ['Agent: tester', 'Project: project', 'Branch: main', 'Folder: /home/dev/project'].map((text) => ({
            type: 'plain_text',
            text,
            emoji: false,
          })),
        },
      ],
    });
  });

  test('of an abnormal end has a colour, an ordinary one has none', () => {
    expect(render({ abnormal: true }).attachments?.[0]?.color).toMatch(/^#[0-9a-f]{6}$/);
    expect(render({ abnormal: true, body: '' }).attachments?.[0]?.blocks).toHaveLength(1);
    expect(render({ abnormal: false }).attachments).toBeUndefined();
  });

  test('quotes the session’s messages the body does not hold', () => {
    const messages = [
      { role: 'user', text: 'please fix it', at: null, from: 'service' },
      { role: 'assistant', text: 'All done.', at: null, from: 'service' },
    ] as const;
    const texts = textsOf(render({ body: 'All done.', context: { messages } })).map(({ text }) => text);
    expect(texts).toContain('You: please fix it');
    expect(texts.filter((text) => text.includes('All done.'))).toHaveLength(1);
  });

  test.each([
    ['a & b < c > d', 'a &amp; b &lt; c &gt; d'],
    ['&amp;', '&amp;amp;'],
    ['<!channel> <@U1> <#C1>', '&lt;!channel&gt; &lt;@U1&gt; &lt;#C1&gt;'],
    ['<https://example.com|x>', '&lt;https://example.com|x&gt;'],
  ])('%s is escaped', (text, escaped) => {
    const message = render({ title: 'T', body: text });
    expect(message.blocks[1]?.text?.text).toBe(escaped);
    expect(message.text).toBe(`T\n${escaped}`);
  });

  test('keeps the limits, splitting no entity and no grapheme', () => {
    const part = fc.constantFrom('<', '&', '>', 'x', '👩‍👩‍👧‍👦', 'é', '\n', ' ', '🇩🇪', 'word ');
    const text = fc.tuple(part, fc.nat(4_000), part).map(([a, count, b]) => a.repeat(count) + b.repeat(50));
    fc.assert(
      fc.property(text, text, fc.boolean(), (title, body, abnormal) => {
        const message = render({ title, body, abnormal, event: eventOf({ reason: body }) });
        const limits: Record<string, number> = { header: 150, section: 3_000, context: 3_000 };
        for (const block of blocksOf(message))
          for (const { text: made } of [block.text, ...(block.elements ?? [])].filter((t) => t !== undefined)) {
            expect(made.length).toBeLessThanOrEqual(limits[block.type] ?? 0);
            expect(made.length).toBeGreaterThan(0);
            expect(made).not.toMatch(/&(?!amp;|lt;|gt;)/);
            expect(made).not.toMatch(/[<>]/);
            expect(made).not.toMatch(/\u200d…|[\ud800-\udbff](?![\udc00-\udfff])/);
          }
        expect(blocksOf(message).length).toBeLessThanOrEqual(50);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the answer', () => {
  test.each<[Answer, string]>([
    [{ status: 200, body: 'ok' }, 'ok'],
    [{ status: 200, body: '{"ok":false,"error":"invalid_auth"}' }, 'auth'],
    [{ status: 400, body: 'invalid_payload' }, 'client'],
    [{ status: 400, body: 'no_text' }, 'client'],
    [{ status: 403, body: 'action_prohibited' }, 'auth'],
    [{ status: 403, body: 'invalid_token' }, 'auth'],
    [{ status: 404, body: 'no_service' }, 'invalid-config'],
    [{ status: 404, body: 'channel_not_found' }, 'invalid-config'],
    [{ status: 410, body: 'channel_is_archived' }, 'invalid-config'],
    [{ status: 400, body: 'no_service' }, 'invalid-config'],
    [{ status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' }, 'rate-limited'],
    [{ status: 500, body: 'rollup_error' }, 'server'],
    [{ status: 502, body: '<html>bad gateway</html>' }, 'server'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'invalid-config'],
  ])('%j is %s', async (answer, expected) => {
    const receiver = await startReceiver();
    receiver.answer = () => answer;
    const outcome = await deliver(slack, settingsOf(receiver.url), messageOf());
    expect(outcome.ok ? 'ok' : outcome.reason).toBe(expected);
    if (expected === 'rate-limited') expect(outcome).toMatchObject({ retryAfter: 30_000 });
  });

  test('never holds the address, even where the receiver says it', async () => {
    const receiver = await startReceiver();
    const path = '/services/T0SECRET/B0SECRET/0123456789secret';
    receiver.answer = (request) => ({ status: 404, body: `nothing at ${request.path}` });
    const outcome = await deliver(slack, settingsOf(receiver.url + path), messageOf());
    expect(outcome).toMatchObject({ ok: false });
    expect(JSON.stringify(outcome)).not.toContain('0123456789secret');
  });
});

test('keeps to one message a second, one at a time', () => {
  expect(slack.limits({ url: '', allow_private: false })).toMatchObject({ concurrency: 1, minIntervalMs: 1_000 });
});

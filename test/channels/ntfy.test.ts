// ntfy: what the server is sent within its limits, what its answers mean, and what an older server does.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ntfy } from '../../src/channels/ntfy.ts';
import type { CheckResult, OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import type { Kind } from '../../src/model/event/event.ts';
import type { NotificationContent } from '../../src/model/notification/notification.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { type NtfyServer, ntfyAccepts, startNtfyServer } from '../support/ntfy-server.ts';

const TOPIC = 'belfry-k3y5n8m2q7r4t6w9';
const at = (url: string, more: object = {}) => ({ server: url, topic: TOPIC, allow_private: true, ...more });

testHttpChannel({
  channel: ntfy,
  input: { topic: 'secret:ntfy_topic', token: 'env:NTFY_TOKEN' },
  settings: (url) => ({
    input: at(url, { token: 'tk_s3cr3ts3cr3ts3cr3ts3cr3ts3cr3t' }),
    secrets: [TOPIC, 'tk_s3cr3ts3cr3ts3cr3ts3cr3ts3cr3t'],
  }),
  accepted: ntfyAccepts,
});

/** Sends, and what the server published for it. */
async function sent(server: NtfyServer, more: Partial<NotificationContent>, message: Partial<OutgoingMessage> = {}) {
  const outcome = await deliver(ntfy, at(server.url), messageOf(more, message));
  return { outcome, published: server.published.at(-1) };
}

const receiptOf = (outcome: Outcome): unknown => (outcome.ok ? outcome.receipt : null);
const update = (more: Partial<OutgoingMessage> = {}): Partial<OutgoingMessage> => ({
  operation: 'update',
  revision: 2,
  ...more,
});
const why = { state: 'resolved', why: 'answered in the terminal after 40 s', at: 0 } as const;

test.each([
  ['listens with a topic of its own', {}, true],
  ['does not without one', { answer_topic: undefined }, false],
  ['does not while its topic is none: it publishes no buttons', { topic: 'docs' }, false],
])('it %s', (_name, more, listens) => {
  const priority = { low: 2, normal: 3, urgent: 5 };
  const settings = { ...at('https://ntfy.example'), priority, answer_topic: 'belfry-answers', ...more };
  expect(ntfy.open(settings, toolsOf()).receive !== undefined).toBe(listens);
});

describe('the message', () => {
  test('is plain text with a title, a priority and the notification as its sequence', async () => {
    const server = await startNtfyServer();
    const { outcome, published } = await sent(server, { title: 'T', body: 'one\ntwo' });
    expect(outcome).toEqual({ ok: true, status: 200, receipt: { sequence: 'ntf_1', urgency: 'normal' } });
    expect(published).toMatchObject({
      topic: TOPIC,
      title: 'T',
      message: 'one\ntwo',
      priority: 3,
      sequence_id: 'ntf_1',
    });
    expect(published).not.toHaveProperty('tags');
    expect(JSON.parse(server.requests[0]?.body ?? '')).not.toHaveProperty('markdown');
  });

  test.each([
    ['low', false, 2, undefined],
    ['normal', false, 3, undefined],
    ['normal', true, 3, ['rotating_light']],
    ['urgent', false, 5, ['warning']],
    ['urgent', true, 5, ['rotating_light']],
  ] as const)('%s, abnormal %s: priority %i, tags %j', async (urgency, abnormal, priority, tags) => {
    const server = await startNtfyServer();
    const { published } = await sent(server, { urgency, abnormal });
    expect([published?.priority, published?.tags]).toEqual([priority, tags]);
  });

  test('has the priority that the settings say', async () => {
    const server = await startNtfyServer();
    await deliver(ntfy, at(server.url, { priority: { normal: 4 } }), messageOf());
    expect(server.published[0]?.priority).toBe(4);
  });

  const waits = { ...messageOf().content.event, kind: 'agent.waiting' } as const;
  const member = (kind: Kind) => ({ title: 'one of them', event: { ...waits, kind } });
  test.each<[string, Partial<NotificationContent>, object | undefined, number]>([
    ['an agent that waits', { event: waits }, undefined, 4],
    ['one of several that waits', { members: [member('agent.finished'), member('agent.waiting')] }, undefined, 4],
    ['none of several', { event: waits, members: [member('agent.finished')] }, undefined, 3],
    ['one that waits and asks nothing of anybody', { event: { ...waits, urgency: 'low' }, urgency: 'low' }, {}, 2],
    ['one that waits, urgent', { event: waits, urgency: 'urgent' }, undefined, 5],
    ['one that waits, set', { event: waits }, { waiting: 3 }, 3],
    ['one that waits where everything is loud', { event: waits }, { normal: 5 }, 5],
  ])('makes a sound on phones for %s', async (_what, content, priority, expected) => {
    const server = await startNtfyServer();
    await deliver(ntfy, at(server.url, priority === undefined ? {} : { priority }), messageOf(content));
    expect(server.published[0]?.priority).toBe(expected);
  });

  test('is a message, not a file, whatever text it has and however long', async () => {
    const server = await startNtfyServer();
    server.rules.requests = server.rules.left = 1_000;
    for (const text of [
      ...hostile,
      '"'.repeat(9_000),
      '\\\n'.repeat(9_000),
      '👩‍👩‍👧‍👦'.repeat(2_000),
      'é'.repeat(5_000),
    ]) {
      const { outcome, published } = await sent(server, { title: text, body: text });
      expect(outcome.ok, text.slice(0, 50)).toBe(true);
      expect(published?.attachment).toBeUndefined();
      expect(published?.message).not.toBe('triggered');
    }
  });

  test('keeps the limits and splits no grapheme', async () => {
    const server = await startNtfyServer();
    const part = fc.constantFrom('"', '\\', 'x', '👩‍👩‍👧‍👦', 'é', '\n', ' ', '🇩🇪', 'word ');
    const text = fc.tuple(part, fc.nat(5_000), part).map(([a, count, b]) => a.repeat(count) + b.repeat(50));
    await fc.assert(
      fc.asyncProperty(text, text, async (title, body) => {
        server.rules.requests = server.rules.left = 10;
        const { outcome, published } = await sent(server, { title, body });
        expect(outcome.ok).toBe(true);
        expect(published?.attachment).toBeUndefined();
        expect(Buffer.byteLength(published?.title ?? '')).toBeLessThanOrEqual(250);
        expect(published?.message).not.toMatch(/\u200d…|[\ud800-\udbff](?![\udc00-\udfff])/);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    [{ token: 'tk_x' }, 'Bearer tk_x'],
    [{ user: 'phil', password: 'pä:ss' }, `Basic ${Buffer.from('phil:pä:ss').toString('base64')}`],
    [{}, undefined],
  ])('%j proves who sends it', async (credentials, header) => {
    const server = await startNtfyServer();
    if (header) server.rules.users = { [header]: 'phil' };
    expect(await deliver(ntfy, at(server.url, credentials), messageOf())).toMatchObject({ ok: true });
    expect(server.requests[0]?.headers.authorization).toBe(header);
  });
});

describe('a change', () => {
  test('replaces what was sent, without a sound; a resolution says why', async () => {
    const server = await startNtfyServer();
    const receipt = receiptOf((await sent(server, {})).outcome);
    await deliver(ntfy, at(server.url), messageOf({ title: 'second' }, update()), toolsOf(), receipt);
    await deliver(ntfy, at(server.url), messageOf({ body: 'B' }, update({ resolution: why })), toolsOf(), receipt);
    expect(server.published.map(({ sequence_id }) => sequence_id)).toEqual(['ntf_1', 'ntf_1', 'ntf_1']);
    expect(server.published[1]).toMatchObject({ title: 'second', priority: 2 });
    expect(server.published[2]).toMatchObject({
      message: '✓ answered in the terminal after 40 s\nB',
      priority: 2,
      tags: ['white_check_mark'],
    });
  });

  test('may make a sound once it has become more urgent', async () => {
    const server = await startNtfyServer();
    const receipt = receiptOf((await sent(server, {})).outcome);
    const more = await deliver(ntfy, at(server.url), messageOf({ urgency: 'urgent' }, update()), toolsOf(), receipt);
    await deliver(ntfy, at(server.url), messageOf({ urgency: 'urgent' }, update()), toolsOf(), receiptOf(more));
    expect(server.published.map(({ priority }) => priority)).toEqual([3, 5, 2]);
  });

  test('taken back: cleared, twice too', async () => {
    const server = await startNtfyServer();
    const receipt = receiptOf((await sent(server, {})).outcome);
    for (const _time of [1, 2])
      expect(
        await deliver(ntfy, at(server.url), messageOf({}, { operation: 'retract' }), toolsOf(), receipt),
      ).toMatchObject({ ok: true });
    expect(server.published.slice(1)).toMatchObject([
      { event: 'message_clear', sequence_id: 'ntf_1' },
      { event: 'message_clear' },
    ]);
  });

  test('an older server: nothing is sent twice but what has become more urgent', async () => {
    const server = await startNtfyServer();
    server.rules.old = true;
    const { outcome } = await sent(server, {});
    const receipt = receiptOf(outcome);
    expect(receipt).toEqual({ sequence: null, urgency: 'normal' });
    for (const message of [
      messageOf({}, update()),
      messageOf({}, update({ resolution: why })),
      messageOf({}, { operation: 'retract' }),
    ])
      expect(await deliver(ntfy, at(server.url), message, toolsOf(), receipt)).toMatchObject({
        ok: true,
        answer: expect.stringMatching(/older than ntfy 2\.16/),
      });
    expect(server.requests).toHaveLength(1);
    await deliver(ntfy, at(server.url), messageOf({ urgency: 'urgent' }, update()), toolsOf(), receipt);
    expect(server.published.map(({ priority }) => priority)).toEqual([3, 5]);
  });

  test('a server that became older has nothing to take back', async () => {
    const server = await startNtfyServer();
    const receipt = receiptOf((await sent(server, {})).outcome);
    server.rules.old = true;
    expect(
      await deliver(ntfy, at(server.url), messageOf({}, { operation: 'retract' }), toolsOf(), receipt),
    ).toMatchObject({ ok: true });
  });
});

describe('the answer', () => {
  test.each<[string, Partial<NtfyServer['rules']>, object, RegExp]>([
    ['wrong credentials', { users: {} }, { token: 'tk_no' }, /auth .*check the token/],
    [
      'no write access',
      { users: { 'Bearer tk_yes': 'phil' }, writers: [] },
      { token: 'tk_yes' },
      /auth .*may not publish/,
    ],
    ['anonymous where nobody may', { users: {} }, {}, /auth .*may not publish/],
    ['the quota of the day', { left: 0 }, {}, /quota .*today's messages are used up; .*00:00 UTC/],
    ['too many requests', { requests: 0 }, {}, /rate-limited .*too many requests/],
  ])('%s', async (_name, rules, more, words) => {
    const server = await startNtfyServer();
    Object.assign(server.rules, rules);
    const outcome = await deliver(ntfy, at(server.url, more), messageOf());
    if (outcome.ok) throw new Error('was delivered');
    expect(`${outcome.reason} ${outcome.error}`).toMatch(words);
  });

  test('too many requests, without a word of how long: waits twice as long each time, until one is accepted', async () => {
    const server = await startNtfyServer();
    const waits: (number | undefined)[] = [];
    const tools = toolsOf({ now: () => 0 });
    const send = async () => {
      const outcome = await deliver(ntfy, at(server.url), messageOf(), tools);
      waits.push(outcome.ok ? 0 : outcome.retryAfter);
    };
    for (const requests of [0, 0, 0, 5, 0, ...Array<number>(9).fill(0)]) {
      server.rules.requests = requests;
      await send();
    }
    expect(waits).toEqual([
      5_000,
      10_000,
      20_000,
      0,
      5_000,
      ...[10, 20, 40, 80, 160, 300, 300, 300, 300].map((s) => s * 1_000),
    ]);
  });

  test.each([
    [Date.UTC(2026, 5, 1, 12), 12 * 3_600_000 + 60_000],
    [Date.UTC(2026, 5, 1, 23, 59, 59), 61_000],
    [Date.UTC(2026, 5, 1), 24 * 3_600_000 + 60_000],
  ])('the quota at %i: until midnight UTC', async (now, wait) => {
    const server = await startNtfyServer();
    server.rules.left = 0;
    expect(await deliver(ntfy, at(server.url), messageOf(), toolsOf({ now: () => now }))).toMatchObject({
      reason: 'quota',
      retryAfter: wait,
    });
  });

  test.each([
    ['a page of another server', '<html>hello</html>'],
    ['JSON of another server', '{"ok":true}'],
  ])('%s is no success', async (_name, body) => {
    const server = await startNtfyServer();
    server.answer = () => ({ status: 200, body });
    expect(await deliver(ntfy, at(server.url), messageOf())).toMatchObject({ ok: false, reason: 'invalid-config' });
  });
});

test.each<[string, object, RegExp | null]>([
  ['a topic with a slash', { topic: 'a/b' }, /must be 1 to 64 letters/],
  ["one of the server's pages", { topic: 'docs' }, /must be 1 to 64 letters/],
  ['a server without https', { topic: 'x', server: 'ntfy.sh' }, /https:\/\//],
  ['a token and a user', { topic: 'x', token: 'a', user: 'b', password: 'c' }, /either a token/],
  ['a user without a password', { topic: 'x', user: 'b' }, /is missing/],
  ['a priority that is none', { topic: 'x', priority: { low: 6 } }, /Too big|<=5/],
  ['a server with a slash at its end', { topic: 'x', server: 'https://ntfy.example.com/' }, null],
])('settings: %s', (_name, input, words) => {
  const parsed = ntfy.schema.safeParse(input);
  if (words === null) expect(parsed.data).toMatchObject({ server: 'https://ntfy.example.com' });
  else expect(JSON.stringify(parsed.error?.issues)).toMatch(words);
});

describe('check, without sending', () => {
  const check = async (server: NtfyServer, more: object = {}): Promise<readonly CheckResult[]> =>
    ntfy.check(ntfy.schema.parse(at(server.url, more)), toolsOf());

  test.each<[string, Partial<NtfyServer['rules']>, object, RegExp]>([
    ['what is left', { left: 17 }, {}, /^ok: 17 of 250 messages are left for today/],
    ['nothing left', { left: 0 }, {}, /^warn: 0 of 250 .*00:00 UTC/],
    ['wrong credentials', { users: {} }, { token: 'tk_no' }, /^fail: .* refuses the account/],
    ['a short topic', {}, { topic: 'me' }, /warn: its topic is short/],
    ['a short topic of an account', { users: { 'Bearer t': 'phil' } }, { topic: 'me', token: 't' }, /^ok: [^|]*$/],
    ['a topic that is none', {}, { topic: 'secret:gone' }, /^fail: its topic must be/],
    ['too many requests', { requests: 0 }, {}, /^warn: .*too many requests/],
  ])('%s', async (_name, rules, more, words) => {
    const server = await startNtfyServer();
    Object.assign(server.rules, rules);
    const found = (await check(server, more))
      .map(({ level, text, fix = '' }) => `${level}: ${text} ${fix}`)
      .join(' | ');
    expect(found).toMatch(words);
    expect(server.published).toEqual([]);
  });

  test('another server is found out', async () => {
    const server = await startNtfyServer();
    server.answer = () => ({ status: 200, body: '<html>' });
    expect(await check(server)).toMatchObject([
      { level: 'fail', text: expect.stringMatching(/does not answer as ntfy/) },
    ]);
  });
});

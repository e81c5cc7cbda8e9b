// Pushover: what is pushed within its limits, what its answers mean, and that an emergency ends on both sides.
import { describe, expect, test } from 'vitest';
import { pushover } from '../../src/channels/pushover.ts';
import type { InboundAnswer } from '../../src/model/channel/channel.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { pushoverAccepts, startPushover, TOKEN, USER } from '../support/pushover-server.ts';
import { until } from '../support/wait.ts';

const at = (url: string, more: object = {}) => ({
  api_url: `${url}/1`,
  token: TOKEN,
  user: USER,
  allow_private: true,
  emergency: true,
  ...more,
});

testHttpChannel({
  channel: pushover,
  input: { token: 'secret:pushover', user: 'env:PUSHOVER_USER' },
  settings: (url) => ({ input: at(url), secrets: [TOKEN, USER] }),
  accepted: pushoverAccepts,
});

const urgent = { urgency: 'urgent' } as const;

describe('the message', () => {
  test.each([
    ['low', true, -1],
    ['normal', true, 0],
    ['urgent', false, 1],
    ['urgent', true, 2],
  ] as const)('%s, emergencies %s: priority %i', async (urgency, emergency, priority) => {
    const server = await startPushover();
    const outcome = await deliver(
      pushover,
      at(server.url, { emergency }),
      messageOf({ title: 'T', body: 'a\nb', urgency }),
    );
    const receipt = server.pushed[0]?.receipt ?? null;
    expect(outcome).toEqual({ ok: true, status: 200, ...(receipt === null ? {} : { receipt: { receipt } }) });
    expect(server.pushed).toEqual([{ title: 'T', message: 'a\nb', priority, receipt }]);
    expect(receipt !== null).toBe(priority === 2);
  });

  test('is plain text within the limits, whatever comes', async () => {
    const server = await startPushover();
    for (const text of [...hostile, 'x'.repeat(5_000), '👩‍👩‍👧‍👦'.repeat(900), '', '\0'])
      expect(await deliver(pushover, at(server.url), messageOf({ title: text, body: text }))).toMatchObject({
        ok: true,
      });
  });
});

describe('answers', () => {
  const error = (more: object) => JSON.stringify({ status: 0, request: 'x', ...more });
  test.each([
    ['a wrong token', 400, {}, error({ token: 'invalid' }), { reason: 'auth' }],
    ['a wrong user', 400, {}, error({ user: 'invalid' }), { reason: 'auth' }],
    ['a message it refuses', 400, {}, error({ message: 'cannot be blank' }), { reason: 'client' }],
    ['no quota left', 429, { 'x-limit-app-reset': '1300' }, error({}), { reason: 'quota', retryAfter: 300_000 }],
    ['no quota left, until who knows', 429, {}, error({}), { reason: 'quota' }],
    ['down', 500, {}, '', { reason: 'server' }],
    ['another service', 200, {}, '<html>', { reason: 'invalid-config' }],
  ])('%s', async (_what, status, headers, body, expected) => {
    const server = await startPushover();
    server.answer = () => ({ status, headers, body });
    const outcome = await deliver(pushover, at(server.url), messageOf(), toolsOf({ now: () => 1_000_000 }));
    expect(outcome).toMatchObject({ ok: false, status, ...expected });
  });
});

describe('an emergency', () => {
  test('that is acknowledged on the phone is acknowledged here, once', async () => {
    const server = await startPushover();
    const settings = pushover.schema.parse(at(server.url));
    const tools = toolsOf();
    const channel = pushover.open(settings, tools);
    const control = new AbortController();
    const answers: InboundAnswer[] = [];
    const take = async (answer: InboundAnswer): Promise<string> => `taken: ${answers.push(answer)}`;
    const receiving = channel.receive?.(take, control.signal);
    for (const id of ['1', '2'])
      await channel.send(messageOf(urgent, { id, acknowledgeWith: `ack:${id}` }), {
        signal: tools.signal,
        timeoutMs: 9_000,
      });
    const [first, second] = [...server.alarms.values()];
    if (!first || !second) throw new Error('no alarms');
    second.acknowledgedBy = 'my phone';
    await until(() => first.looks.length > 1, 'two looks');
    const by = { id: 'pushover', name: 'my phone' };
    expect(answers).toEqual([{ reference: 'ack:2', replyTo: null, text: null, by, at: expect.any(Number) }]);
    expect((first.looks[1] ?? 0) - (first.looks[0] ?? 0)).toBeGreaterThan(4_900);
    expect(second.looks).toHaveLength(1);
    control.abort();
    await receiving;
    await channel.close();
  });

  test('that is over here ends on the phone', async () => {
    const server = await startPushover();
    const sent = await deliver(pushover, at(server.url), messageOf(urgent));
    const resolution = { state: 'acknowledged', why: 'seen', at: 0 } as const;
    const retract = messageOf(urgent, { operation: 'retract', resolution });
    const receipt = sent.ok ? sent.receipt : null;
    expect(await deliver(pushover, at(server.url), retract, toolsOf(), receipt)).toMatchObject({ ok: true });
    expect([...server.alarms.values()].map(({ cancelled }) => cancelled)).toEqual([true]);
    const unknown = { receipt: 'r'.repeat(30) };
    expect(await deliver(pushover, at(server.url), retract, toolsOf(), unknown)).toMatchObject({
      ok: true,
      status: 404,
    });
    const requests = server.requests.length;
    expect(await deliver(pushover, at(server.url), retract, toolsOf(), null)).toMatchObject({ ok: true });
    expect(server.requests).toHaveLength(requests);
  });
});

test('`check` asks whether token and user are known, and pushes nothing', async () => {
  const server = await startPushover();
  const check = (more: object) => pushover.check(pushover.schema.parse(at(server.url, more)), toolsOf());
  expect(await check({})).toMatchObject([{ level: 'ok' }]);
  expect(await check({ token: 'wrong' })).toMatchObject([{ level: 'fail', fix: expect.stringMatching(/token/) }]);
  expect(await check({ user: 'wrong' })).toMatchObject([{ level: 'fail' }]);
  expect(server.pushed).toEqual([]);
});

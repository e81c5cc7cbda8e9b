// Webhook: Standard Webhooks headers, the documented body, and what each answer means.
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhook } from '../../src/channels/webhook.ts';
import { deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { type Answer, startReceiver } from '../support/receiver.ts';

const SECRET = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`;

const settingsOf = (url: string) => ({
  input: { url: `${url}/path-that-is-a-secret`, secret: SECRET, allow_private: true },
  secrets: ['path-that-is-a-secret', SECRET, SECRET.slice('whsec_'.length)],
});

testHttpChannel({
  channel: webhook,
  input: { url: 'https://example.com/hooks', secret: 'env:NAME' },
  settings: settingsOf,
  accepted: 204,
});

describe('with updates = true', () => {
  testHttpChannel({
    channel: webhook,
    input: { url: 'https://example.com/hooks', updates: true },
    settings: (url) => ({ ...settingsOf(url), input: { ...settingsOf(url).input, updates: true } }),
    accepted: 200,
  });

  test.each([
    ['update', null, 'notification.updated'],
    ['update', { state: 'acknowledged', why: 'seen', at: Date.UTC(2026, 5, 1, 13) }, 'notification.updated'],
    ['update', { state: 'resolved', why: 'answered', at: Date.UTC(2026, 5, 1, 13) }, 'notification.resolved'],
    ['retract', { state: 'resolved', why: 'answered', at: Date.UTC(2026, 5, 1, 13) }, 'notification.resolved'],
  ] as const)('%s with resolution %j is %s', async (operation, resolution, type) => {
    const receiver = await startReceiver();
    const settings = { url: receiver.url, secret: SECRET, allow_private: true, updates: true };
    const message = messageOf({ title: 'T', body: 'B' }, { id: 'dlv_9', operation, resolution, revision: 4 });
    expect(await deliver(webhook, settings, message)).toMatchObject({ ok: true });
    const [request] = receiver.requests;
    expect(request?.headers['webhook-id']).toBe('dlv_9');
    expect(() =>
      new Webhook(SECRET).verify(request?.body ?? '', request?.headers as Record<string, string>),
    ).not.toThrow();
    const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    expect(body).toMatchObject({ type, data: { event: { id: message.content.event.id } } });
    expect((body['data'] as Record<string, unknown>)['notification']).toEqual({
      id: 'ntf_1',
      revision: 4,
      title: 'T',
      body: 'B',
      count: 1,
      ...(resolution === null ? {} : { [resolution.state]: { why: resolution.why, at: '2026-06-01T13:00:00.000Z' } }),
    });
    expect(body['timestamp']).toBe(resolution === null ? '2026-06-01T12:00:00.000Z' : '2026-06-01T13:00:00.000Z');
  });
});

describe('the request', () => {
  test.each([
    ['whsec_ secret', SECRET, () => new Webhook(SECRET)],
    ['raw secret', 'plain words as a secret', () => new Webhook('plain words as a secret', { format: 'raw' })],
  ])('verifies with the official library: %s', async (_name, secret, verifier) => {
    const receiver = await startReceiver();
    const parcel = messageOf({ title: 'ünïcödé 👩‍👩‍👧 <b>', body: 'line\n"quoted"' });
    const outcome = await deliver(webhook, { url: `${receiver.url}/in?a=1`, secret, allow_private: true }, parcel);
    expect(outcome).toMatchObject({ ok: true, status: 200 });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/in?a=1' });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers['webhook-id']).toBe(parcel.id);
    expect(() => verifier().verify(request?.body ?? '', request?.headers as Record<string, string>)).not.toThrow();
  });

  test('has the documented body, each field under its documented name', async () => {
    const receiver = await startReceiver();
    const event = eventOf({
      kind: 'session.ended',
      reason: 'error',
      abnormal: true,
      urgency: 'urgent',
      attributes: { kept: 1 },
    });
    const messages = [{ role: 'user', text: 'do it', at: null, from: 'input' }] as const;
    await deliver(
      webhook,
      { url: receiver.url, allow_private: true },
      messageOf({ event, title: 'T', body: 'B', count: 3, context: { messages } }),
    );
    expect(receiver.requests[0]?.headers['webhook-signature']).toBeUndefined();
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({
      type: 'session.ended',
      timestamp: '2026-06-01T12:00:00.000Z',
      data: {
        event: {
          id: event.id,
          kind: 'session.ended',
          agent: 'tester',
          hook_event: 'Stop',
          session_id: 'session-1',
          cwd: '/home/dev/project',
          project: 'project',
          branch: 'main',
          host: 'box',
          message: 'All done.',
          reason: 'error',
          abnormal: true,
          detail: null,
          urgency: 'urgent',
          at: '2026-06-01T12:00:00.000Z',
        },
        notification: { id: 'ntf_1', revision: 1, title: 'T', body: 'B', count: 3 },
        context: { messages: [{ role: 'user', text: 'do it', at: null }] },
      },
    });
  });

  test('keeps id and body on a second attempt; the timestamp is the attempt’s own', async () => {
    const receiver = await startReceiver();
    const settings = { url: receiver.url, secret: SECRET, allow_private: true };
    for (const now of [1_780_000_000_000, 1_780_000_600_000])
      await deliver(webhook, settings, messageOf(), toolsOf({ now: () => now }));
    const [a, b] = receiver.requests;
    expect(a?.body).toBe(b?.body);
    expect(a?.headers['webhook-id']).toBe(b?.headers['webhook-id']);
    expect([a, b].map((r) => r?.headers['webhook-timestamp'])).toEqual(['1780000000', '1780000600']);
  });

  test('a secret that cannot be one is a fault of the settings, and nothing is sent', async () => {
    const receiver = await startReceiver();
    const settings = { url: receiver.url, secret: 'whsec_not base64!', allow_private: true };
    expect(await deliver(webhook, settings, messageOf())).toMatchObject({ ok: false, reason: 'invalid-config' });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('the answer', () => {
  test.each<[Answer, string, number | undefined]>([
    [200, 'ok', undefined],
    [204, 'ok', undefined],
    [301, 'invalid-config', undefined],
    [400, 'client', undefined],
    [401, 'auth', undefined],
    [403, 'auth', undefined],
    [404, 'invalid-config', undefined],
    [408, 'timeout', undefined],
    [410, 'invalid-config', undefined],
    [413, 'client', undefined],
    [422, 'client', undefined],
    [{ status: 429, headers: { 'retry-after': '7' } }, 'rate-limited', 7_000],
    [{ status: 429, headers: { 'retry-after': 'Mon, 01 Jun 2026 12:01:00 GMT' } }, 'rate-limited', 60_000],
    [{ status: 429, headers: { 'retry-after': 'soon' } }, 'rate-limited', undefined],
    [500, 'server', undefined],
    [{ status: 503, headers: { 'retry-after': '120' } }, 'server', 120_000],
  ])('%j is %s', async (answer, expected, retryAfter) => {
    const receiver = await startReceiver();
    receiver.answer = () => answer;
    const tools = toolsOf({ now: () => Date.UTC(2026, 5, 1, 12) });
    const outcome = await deliver(webhook, { url: receiver.url, allow_private: true }, messageOf(), tools);
    expect(outcome.ok ? 'ok' : outcome.reason).toBe(expected);
    if (!outcome.ok) expect(outcome.retryAfter).toBe(retryAfter);
    expect(receiver.requests).toHaveLength(1);
  });

  test('is kept short, without controls and without the secrets it echoes', async () => {
    const receiver = await startReceiver();
    const url = `${receiver.url}/token-1234567890`;
    receiver.answer = () => ({
      status: 500,
      body: `\x1b[31mno ${url} ${new URL(url).pathname} ${SECRET} ${'x'.repeat(100_000)}`,
    });
    const outcome = await deliver(webhook, { url, secret: SECRET, allow_private: true }, messageOf());
    expect(outcome.answer?.length).toBeLessThanOrEqual(200);
    expect(outcome.answer).toMatch(/^[^\x00-\x1f]+$/);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(JSON.stringify(outcome)).not.toContain('token-1234567890');
  });
});
